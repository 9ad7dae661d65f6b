// Tests of StentorBase.
