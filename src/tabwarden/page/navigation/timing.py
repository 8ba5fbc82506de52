"""Time limits of this package, with reasons."""

LOAD_MS = 10_000.0
"""How long the ``load`` event may take after DOM ready. After that, the page counts as usable
without the event."""
QUIET_LOAD_MS = 3_000.0
"""The limit that applies instead if hardly anything is still loading. It is shorter because one
frame, image or font may never arrive."""
ANSWER_MS = 3_000.0
"""How long a page may take to respond while an endless document keeps it busy (1.1 s measured)."""
BUSY_S = 0.25
"""If a page takes longer to respond while its document arrives, it processes the document too
slowly."""
STALLED_S = 2.5
"""A document that shows something, and of which nothing has arrived for this long, can be used.
Servers that send a page in parts seldom pause for so long."""
ARRIVING_LOOK_MS = 1_500.0
"""The pause between two questions about a document that is arriving."""
STOPPED_MS = 1_000.0
"""How long the browser may take to report that it stopped loading."""
ERROR_PAGE_MS = 1_000.0
"""How long the browser may take to show its error page."""
DOWNLOAD_MS = 1_000.0
"""How long the browser may take to report a download after the navigation that led to it."""
KNOWN_MS = 100.0
"""How long the browser process may take to report a new document."""
LOOK_MS = 1_000.0
"""If no event arrives for this long, check whether the document has arrived. Each wait is twice as
long as the one before."""
TAB_PROBE_MS = 150.0
"""If a tab takes longer to respond, it is closed without running its handlers."""
CLOSING_PROBE_S = 0.02
"""If a page takes longer to respond, its scripts are stopped before its tab is closed."""
CLOSE_MS = 1_000.0
"""How long ``beforeunload`` handlers may take. After that, the tab is closed anyway."""
CLOSED_MS = 4_000.0
"""How long a browser may take to close a tab. If the page still responds afterwards, it stays."""
UNLOAD_PROBE_S = 0.2
"""If a page responds within this time, its scripts are not stopped."""
BLANK_S = 0.25
"""How long ``about:blank`` may take to replace a page."""
HANDLERS_MS = 400.0
"""How long ``beforeunload`` handlers may run before they are stopped."""
FRAME_WAIT_MS = 2_000
"""How long the walker in a frame waits before it returns and a new request is sent."""
SILENT_S = 5.0
"""If a frame takes longer to respond, send it a new request, because its timers may be frozen."""
REPLACED_MS = 100.0
"""If a frame's document was replaced, wait at most this long before the next request."""
UNCOVERED_S = 3.0
"""How long the browser may take to close a window that belonged to a previous page."""
