"""How long this package waits, and why."""

MAX_CDP_S = 300.0
"""Hermes limits the timeout of a raw CDP call to at most this (DESIGN 4)."""
MIN_CDP_S = 1.0
"""The minimum timeout of a raw CDP call, likewise."""
