"""Time limits of scripts."""

BEHIND_DIALOG_MS = 1_000.0
"""How long a script may run while a dialog pauses the page (but at most half of the remaining
budget). So even an endless loop ends well before the call."""
