"""The tools under test, each with its own words for the eight verbs."""
