// Tests of StentorLoop.
