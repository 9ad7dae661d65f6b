// Tests of StentorDialect.
