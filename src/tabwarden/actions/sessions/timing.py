"""How long this package tells callers to wait, and why."""

RETRY_AFTER_S = 5.0
"""When to ask again for a browser, if all places are taken: tasks last for minutes, not seconds."""
