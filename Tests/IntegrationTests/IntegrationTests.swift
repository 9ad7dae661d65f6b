// Tests of whole programs.
