"""The MCP App: the live view of a client's task inside the chat (``ui://tabwarden/live``).

The page only reads. What it reads holds no link and no token, because a host may let its model read
resources too.
"""

from tabwarden.surfaces.mcp.app.app import (
    APP,
    EXTENSION,
    LIVE,
    LiveNow,
    app_meta,
    app_resource,
    client_has_apps,
    read_app,
)

__all__ = [
    "APP",
    "EXTENSION",
    "LIVE",
    "LiveNow",
    "app_meta",
    "app_resource",
    "client_has_apps",
    "read_app",
]
