// Tests of StentorWire.
