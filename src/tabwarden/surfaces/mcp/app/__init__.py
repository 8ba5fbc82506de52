"""The MCP App: the live view of a client's task inside the chat (``ui://tabwarden/live``).

The page only reads. What it reads holds no link, no token, and no picture while a person has
control, because a host may let its model read resources too.
"""

from tabwarden.surfaces.mcp.app.app import (
    APP,
    LIVE,
    LiveNow,
    app_meta,
    app_resource,
    read_app,
)

__all__ = [
    "APP",
    "LIVE",
    "LiveNow",
    "app_meta",
    "app_resource",
    "read_app",
]
