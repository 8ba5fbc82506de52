"""Time limits of this package, with reasons."""

ACTIONABLE_MS = 1_000.0
"""How long to wait for an obstacle that may disappear."""
PASSING_MS = 5_000.0
"""How long to wait for an obstacle that looks temporary, such as a spinner."""
NEW_MS = 2_000.0
"""An obstacle that appeared less than this time ago may disappear soon."""
REQUESTS_MS = 10_000.0
"""If a page is older than this and its network was never idle, it is polling its server. Don't wait
for the requests of such a page."""
SLICE_MS = 250.0
"""How long the walker waits before Python checks the obstacle again."""
SHOWN_S = 5.0
"""How long to wait for a selector's element if the page does not show it yet."""
LOOK_MS = 100.0
"""The pause between two searches for a selector's element."""
SUGGEST_MS = 1_000.0
"""How long a ``stale_ref`` error may take to find elements similar to the missing element."""
FRAME_MS = 5_000.0
"""If a frame takes longer to read, the snapshot shows the iframe without its content."""
SILENT_MS = 200.0
"""How long a process may take to reply once all other frames are read. After that, its frames are
omitted, because they may hang."""
BUSY_MS = 1_000.0
"""The same limit for a process that replied only after its frames had been omitted."""
STARTING_S = 1.0
"""A process younger than this may still be starting."""
