"""How long this package waits, and why."""

BATCH_S = 0.1
"""The server sends all changes within this time together."""
FORGET_LOOK_S = 30.0
"""How often to look for clients to forget: a forgotten client only saves some memory."""
WATCHED_S = 5.0
"""The browser sends pictures for the app in the chat until nobody has asked for this long. The app
asks once per second."""
SESSION_RETRY_AFTER_S = 5.0
"""When to ask again for an MCP session: sessions last for minutes."""
ROOTS_S = 2.0
"""A host that does not answer which folders it works in within this time has none for this call."""
NOTIFY_S = 5.0
"""How long a client may take to read a notification."""
