"""How long this package waits, and why."""

PROBE_ALL_MS = 120_000.0
"""The budget for testing all browsers on this computer."""
LINK_S = 5.0
"""How long a server may take to create a link to its live view."""
LINK_PAGE_S = 300.0
"""How long a page that leads to a link is kept: as long as the link works."""
VIEWER_S = 5.0
"""How long ``tabwarden demo --live`` waits before its first step, for a person to open the page."""
DRAIN_POLL_S = 1.0
"""How often `fleet drain --wait` asks whether tasks are left."""
PERSON_ANSWERS_MS = 60_000.0
"""How long a person may take to allow a connection to their own browser."""
