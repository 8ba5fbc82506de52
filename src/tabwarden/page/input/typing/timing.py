"""Time limits of this package, with reasons."""

TAKEN_BACK_MS = 50
"""For this long after we set the focus, a dialog with a focus trap may take it back."""
SLID_MS = 150
"""How long a slider may take to show what a key did."""
COVERED_AGAIN_S = 2
"""How long to try again to focus a field whose cover goes away and comes back."""
REPEAT_AFTER_MS = 500.0
"""A held key repeats after so long, as keyboards do,"""
REPEAT_MS = 33.0
"""and then so often."""
RECEIVER_MS = 100
"""How long typing waits for the page to say whether the focused field is secret."""
DRAWN_MS = 300
"""How long a page may take to draw what was typed, before a note says that it differs."""
