"""Time limits of page tools."""

ANSWER_MS = 500.0
"""How long a tool may take to answer once its document has gone. The browser reports that answer
with the next document."""
