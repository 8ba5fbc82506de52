"""The time constants of a person's input."""

UNANSWERED_S = 3.0
"""A page that has not handled a person's input by then may hang: Tabwarden checks, and frees it.
A person waits longer before giving up, but not much."""
FOCUS_S = 0.15
"""How long a key waits until the page has told which frame has the focus. A person does not notice
it, and a page that answers takes a few milliseconds."""
ALERT_S = 10.0
"""How long a webhook or a desktop notification may take; nothing waits for it."""
ASKED_S = 2.0
"""How long it may take to put the walker into a frame."""
MOVES_S = 0.005
"""How long the focus may take to move from one process to another."""
