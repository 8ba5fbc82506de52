"""Time limits of this package, with their reasons."""

HANG_BUDGET_MS = 1_500
"""The demo's budget for a call on a hung page. It is short so that viewers don't wait long."""
IDLE_S = 30.0
"""The shop's server closes a connection that sends nothing for this long."""
ELEMENT_WAIT_S = 10.0
"""How long the demo waits for a page element or dialog that its script needs."""
POLL_S = 0.02
"""The pause between checks of the page."""

WATCHED_S = 2.0
"""How long the agent pauses after each step if a person watches."""
HANDOFF_MS = 60_000
"""How long the agent waits for a person."""
