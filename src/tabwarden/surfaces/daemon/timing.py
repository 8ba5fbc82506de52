"""How long this package waits, and why."""

PREDECESSOR_S = 30.0
"""How long to wait for the session's last daemon to end its browser."""
FIRST_ANSWER_S = 5.0
"""How long a running daemon may take for its first message, which doesn't depend on a page."""
BRIEF_S = 2.0
"""A shorter limit for the first message, for callers that can continue without an answer."""
START_S = 30.0
"""The default budget for starting a daemon and its browser."""
ANSWER_GRACE_S = 0.8
"""How long after the end of the budget an answer may still arrive."""
CANCEL_S = 3.0
"""How long a cancelled call may take to answer."""
END_S = 20.0
"""How long a daemon may take to exit, including its browser."""
CLOSED_S = 60.0
"""How long a daemon keeps running after its browser has exited, so that the next call can report
why.
"""
TERM_S = 15.0
"""How long to wait between SIGTERM and SIGKILL, because the daemon must end its browser first."""
KILL_S = 5.0
"""How long a killed process may take to disappear."""
LOCK_POLL_S = 0.02
"""The pause between two attempts to take the lock."""
CALLS_END_S = 5.0
"""How long running calls may take to answer when the daemon stops."""
BROWSER_ENDS_MS = 10_000.0
"""The budget for ending the browser when the daemon stops."""
