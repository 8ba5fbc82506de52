"""Time limits of this package, with reasons."""

CHECKED_MS = 300
"""How long a checkbox may take to show its new state."""
OPTIONS_MS = 1_500
"""How long a widget may take to show its options."""
TYPABLE_OPTIONS_MS = 300
"""The limit for a widget that takes text: it may show no options until text is typed."""
CHOSEN_MS = 300
"""How long a widget may take to show the chosen option."""
CHOOSER_MS = 2_000.0
"""How long after the click a file chooser may take to open."""
