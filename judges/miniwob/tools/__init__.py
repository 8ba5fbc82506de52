"""The tools under test, each with its implementation of the eight verbs."""
