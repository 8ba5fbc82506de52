"""Time limits of this package, with reasons."""

ACTIONABLE_MS = 1_000.0
"""How long to wait for an obstacle that may go away."""
PASSING_MS = 5_000.0
"""The same for an obstacle that looks temporary, such as a spinner."""
NEW_MS = 2_000.0
"""An obstacle newer than this may go away soon."""
REQUESTS_MS = 10_000.0
"""A page older than this that was never without requests polls its server, so don't wait for it."""
SLICE_MS = 250.0
"""How long the walker waits before Python looks at the obstacle again."""
SHOWN_S = 5.0
"""How long to wait for the element of a selector. A page may show it a moment later."""
LOOK_MS = 100.0
"""The pause between two searches for that element."""
SUGGEST_MS = 1_000.0
"""How long a ``stale_ref`` error may take to find elements similar to the missing one."""
FRAME_MS = 5_000.0
"""If a frame takes longer to read, the snapshot shows the iframe without its content."""
SILENT_MS = 200.0
"""How long a process may take to answer once all other frames are read. Then its frames are left
out, because they may hang."""
BUSY_MS = 1_000.0
"""The same for a process that answered only after its frames were left out."""
STARTING_S = 1.0
"""A process that is this new may still be starting."""
