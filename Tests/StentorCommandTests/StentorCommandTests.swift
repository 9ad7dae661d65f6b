// Tests of StentorCommand.
