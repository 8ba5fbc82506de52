"""Time limits of this package, with reasons."""

PAST_DEADLINE_MS = 35.0
"""How long past its deadline a call may wait for a rescue that keeps the page (multiplied by
``hang_patience``)."""
RELOAD_MS = 450.0
"""How long past its deadline a call may wait for a rescue that reloads the page."""
PAGE_TITLE_MS = 100.0
"""How long a page may take to report its title."""
BROWSER_TITLE_MS = 500.0
"""How long the browser process may take to report titles. It even knows hung pages' titles."""
TITLE_DELAY_S = 0.1
"""Scripts often set a title just after a navigation."""
OTHER_PICTURE_MS = 300.0
"""How long a screenshot waits for one that is already being taken. Most take 30 ms."""
SLOW_PICTURE_MS = 2_000.0
"""How long an input waits for a screenshot that would move its mouse. A busy machine takes a
second."""
REDRAWN_MS = 150.0
"""How long an input waits for the page to redraw after a screenshot. Most take 33 ms."""
