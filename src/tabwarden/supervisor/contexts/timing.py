"""How long this package waits, and why."""

LATE_CONTEXT_S = 2.0
"""When the task ends, wait this long for a context that is being created, to dispose of it."""
BEING_TAKEN_S = 5.0
"""A younger lease file may still be unlocked because its owner is just creating it."""
FORGOTTEN_S = 7 * 24 * 3600.0
"""If a lease's browser has not been seen for this long, the lease is deleted."""
