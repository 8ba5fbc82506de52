"""Time limits of this package, with reasons."""

PAST_DEADLINE_MS = 35.0
"""How long past its deadline a call may wait for a rescue that keeps the page (multiplied by
``hang_patience``)."""
RELOAD_MS = 450.0
"""How long past its deadline a call may wait for a rescue that reloads the page."""
PAGE_TITLE_MS = 100.0
"""How long a page may take to report its title."""
BROWSER_TITLE_MS = 500.0
"""How long the browser process may take to report titles. It even knows the titles of pages that
hang."""
TITLE_DELAY_S = 0.1
"""How long after a script to request the titles. Scripts often set a title just after a
navigation."""
OTHER_PICTURE_MS = 300.0
"""How long a screenshot waits for another screenshot that is being taken. Most screenshots take 30
ms."""
SLOW_PICTURE_MS = 2_000.0
"""How long an input waits for a screenshot that would change the input's mouse position. On a busy
computer, a screenshot takes a second."""
REDRAWN_MS = 150.0
"""How long an input waits for the page's next frame after a screenshot. Most frames take 33 ms."""
