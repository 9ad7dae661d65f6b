// Tests of StentorReport.
