"""The time constants of control and hand-offs."""

IDLE_S = 60.0
"""The default of ``browser.control.idle_s``: control returns after this long without input to the
page."""
HANDOFF_S = 600.0
"""A hand-off waits for at least this long, also after the call that asked for it has returned: a
person may need minutes to come, and most hosts abort a call after one minute."""
RESERVE_MS = 1_000.0
"""A call that waits for a person stops waiting this long before its budget ends, so that it can
still act, or report who has control."""
RESERVE_SHARE = 0.25
"""The same, as a share of a short budget."""
