// Tests of StentorGateway.
