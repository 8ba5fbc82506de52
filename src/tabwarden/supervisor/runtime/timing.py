"""How long this package waits, and why."""

CLOSE_MS = 5_000.0
"""The default budget for ending a browser."""
DISPOSE_MS = 2_000.0
"""If a browser needs longer to close a context's tabs, we don't wait for it."""
CTRL_C_S = 0.2
"""How often a thread that waits looks for a signal. Python notes a signal that comes just before
the wait, but the signal does not end the wait."""
SHUTDOWN_S = 10.0
"""How long the engine's loop may take to end when the interpreter exits."""
START_MS = 30_000.0
"""The default budget for starting and for stopping a supervisor."""
LAST_WORDS_MS = 100.0
"""If a start exceeds its budget, we wait this much longer before failing, so that the endpoint's
more detailed error can arrive first."""
