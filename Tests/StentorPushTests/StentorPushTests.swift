// Tests of StentorPush.
