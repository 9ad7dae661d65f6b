// Tests of StentorFleet.
