// Tests of StentorMetrics.
