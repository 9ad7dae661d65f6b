// Tests of StentorProfile.
