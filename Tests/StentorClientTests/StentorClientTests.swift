// Tests of StentorClient.
