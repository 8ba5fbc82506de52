"""Time limits of the logs."""

BODY_MS = 3_000.0
"""How long a page's process may take to give a body. If it hangs, the rest is still told."""
