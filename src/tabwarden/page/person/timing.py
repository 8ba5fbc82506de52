"""Time limits for a person's input, with reasons."""

UNANSWERED_S = 3.0
"""A page that has not handled a person's input after this time may hang, so Tabwarden checks and
frees it. A person would soon give up."""
FOCUS_S = 0.15
"""How long a key waits until the page has reported which frame has the focus. A person does not
notice this delay, and a responsive page takes a few milliseconds."""
ALERT_S = 10.0
"""How long a webhook or a desktop notification may take. Nothing waits for it."""
ASKED_S = 2.0
"""How long it may take to prepare the walker in a frame."""
MOVES_S = 0.005
"""How long the focus may take to move from one process to another."""
LOOK_S = 0.5
"""How often to check a page that is waiting for a dialog, or was just freed."""
