"""How long this package waits, and why."""

PREDECESSOR_S = 30.0
"""How long a new daemon waits for the session's previous daemon to close its browser."""
FIRST_ANSWER_S = 5.0
"""How long a running daemon may take to send its first message, which doesn't depend on a page."""
BRIEF_S = 2.0
"""A shorter limit for the first message, for callers that can go on without an answer."""
START_S = 30.0
"""The default budget for starting a daemon and its browser."""
ANSWER_GRACE_S = 0.8
"""How long a client still waits for an answer after the budget has ended."""
CANCEL_S = 3.0
"""How long a cancelled call may take to answer."""
END_S = 20.0
"""How long a daemon may take to close its browser and exit."""
CLOSED_S = 60.0
"""How long a daemon keeps running after its browser exits, so that a call can report the reason."""
TERM_S = 15.0
"""How long to wait between SIGTERM and SIGKILL. The daemon closes its browser in this time."""
KILL_S = 5.0
"""How long a killed process may take to disappear."""
LOCK_POLL_S = 0.02
"""The pause between two attempts to get the lock."""
CALLS_END_S = 5.0
"""How long running calls may take to answer when the daemon stops."""
BROWSER_ENDS_MS = 10_000.0
"""The budget for closing the browser when the daemon stops."""
