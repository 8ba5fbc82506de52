"""Time limits for scripts."""

BEHIND_DIALOG_MS = 1_000.0
"""How long a script may run while a dialog pauses the page, but at most half of the remaining
budget. So even an endless loop ends well before the call does."""
LOOK_MS = 2_000
"""How long the code in a page checks whether a script is true before it returns and a new request
is sent."""
SILENT_S = 5.0
"""If a check takes longer, another check is started, because the page's timers may be frozen."""
REPLACED_MS = 100.0
"""If a frame's document was replaced, how long to wait at most before the next check."""
