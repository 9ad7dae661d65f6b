// Every test of a fleet is written in these words.
@_exported import FleetSupport
