"""How long this package waits, and why."""

LATE_CONTEXT_S = 2.0
"""When the task ends, wait this long for a context that is being created, to dispose of it."""
BEING_TAKEN_S = 5.0
"""A lease file younger than this may be unlocked only because its owner is still creating it."""
COMPANY_S = 1.0
"""A browser answers at once which of its tabs others use. It is only for a warning."""
FORGOTTEN_S = 7 * 24 * 3600.0
"""An unlocked lease file older than this is deleted."""
