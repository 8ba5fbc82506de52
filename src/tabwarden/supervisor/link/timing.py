"""How long this package waits, and why."""

RECONNECT_MS = 10_000.0
"""The budget of one attempt to reconnect."""
GIVE_UP_S = 30.0
"""A browser that does not come back within this time is gone."""
STEADY_S = 2.0
"""If a connection lasted longer than this, its loss counts as a new incident."""
REFUSED_S = 2.0
"""How long to retry while the port refuses connections. The browser may be gone, or a relay may be
restarting quickly."""
FIRST_PAUSE_S = 0.05
"""The pause before the second attempt; each later pause is twice as long as the previous one."""
LONGEST_PAUSE_S = 3.0
"""The longest pause; short, so that we soon find a restarted relay."""
