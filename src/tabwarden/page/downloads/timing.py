"""How long a download pauses before a retry."""

FIRST_RETRY_S = 0.1
"""The first pause; each further pause is twice as long. A server that broke a connection usually
accepts a new connection at once."""
LONGEST_RETRY_S = 3.0
"""The longest pause. A restarting server is usually available again by then."""
