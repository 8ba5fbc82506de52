"""Time limits for the logs, with reasons."""

BODY_MS = 3_000.0
"""How long a page's process may take to return a body. If it hangs, the other details are still
returned."""
