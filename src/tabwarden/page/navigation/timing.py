"""Time limits of this package, with reasons."""

STATUS_MS = 50.0
"""How long the status of a loaded document may take to arrive."""
LOAD_MS = 10_000.0
"""How long ``load`` may take after DOM ready before the page counts as usable without it."""
KNOWN_MS = 100.0
"""How long the browser process may take to learn of a new document."""
LOOK_MS = 1_000.0
"""After this long without an event, check whether the document is there. Each further wait is twice
as long."""
TAB_PROBE_MS = 150.0
"""A tab that takes longer to answer is reported as hung."""
CLOSING_PROBE_S = 0.02
"""The same for a tab that is about to close. The tab is closed whether or not it answers."""
CLOSE_MS = 1_000.0
"""A page's ``beforeunload`` handlers may take this long before the tab is closed anyway."""
UNLOAD_PROBE_S = 0.2
"""A page that answers within this time is not stopped. Only a hung page costs this much time."""
BLANK_S = 0.25
"""How long ``about:blank`` may take to replace a page."""
HANDLERS_MS = 400.0
"""``beforeunload`` handlers that run longer are stopped."""
FRAME_WAIT_MS = 2_000
"""How long a frame waits on its own before it gets a new request."""
SILENT_S = 5.0
"""A frame that takes longer to answer gets a new request: its timers may be frozen."""
REPLACED_MS = 100.0
"""The longest pause before a frame with a replaced document gets a new request."""
