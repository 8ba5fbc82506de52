"""Time limits of this package, with reasons."""

ACTIONABLE_MS = 1_000.0
"""How long to wait for an obstacle that may disappear."""
PASSING_MS = 5_000.0
"""How long to wait for an obstacle that looks temporary, such as a spinner."""
NEW_MS = 2_000.0
"""An obstacle newer than this may disappear soon."""
REQUESTS_MS = 10_000.0
"""A page older than this whose network was never idle is polling its server, so don't wait for
it."""
SLICE_MS = 250.0
"""How long the walker waits before Python looks at the obstacle again."""
SHOWN_S = 5.0
"""How long to wait for a selector's element, which the page may show a moment later."""
LOOK_MS = 100.0
"""The pause between two searches for a selector's element."""
SUGGEST_MS = 1_000.0
"""How long a ``stale_ref`` error may take to find elements similar to the missing element."""
FRAME_MS = 5_000.0
"""If a frame takes longer to read, the snapshot shows the iframe without its content."""
SILENT_MS = 200.0
"""How long a process may take to answer once all other frames are read. After that, its frames are
omitted, because they may hang."""
BUSY_MS = 1_000.0
"""The limit for a process that answered only after its frames were omitted."""
STARTING_S = 1.0
"""A process younger than this may still be starting."""
