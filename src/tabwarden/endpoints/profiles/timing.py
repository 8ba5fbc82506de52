"""How long this package waits, and why."""

NEVER_BEGUN_S = 60.0
"""A scratch folder without an owner is a leftover if it is older than this. A launch needs less
time to lock its new folder.
"""
