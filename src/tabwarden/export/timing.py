"""Time limits of this package, with reasons."""

ELEMENT_MS = 20_000.0
"""How long a replay may take to find an element. It waits five seconds for it to appear."""
COMES_MS = 15_000.0
"""How long a replay waits for a page, a text or a dialog that the trace has."""
