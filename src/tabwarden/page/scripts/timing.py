"""Time limits of scripts."""

BEHIND_DIALOG_MS = 1_000.0
"""The longest that a script may run while a dialog pauses the page, so that even an endless loop
ends well before the call does. If half of the remaining budget is less, that is the limit."""
