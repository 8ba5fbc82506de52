"""The features of a browser on a Camofox server."""

from __future__ import annotations

from tabwarden.endpoints.capabilities import Capabilities

__all__ = ["PLAIN", "WITH_PLUGIN"]

_ACTIONS = frozenset(
    {
        "back", "batch", "click", "close", "connect", "disconnect", "evaluate", "forward",
        "navigate", "open", "press", "reload", "resize", "scrape", "screenshot", "scroll", "select",
        "snapshot", "tabs", "type", "wait",
    }
)  # fmt: skip

PLAIN = Capabilities(
    detect_dialogs=False,
    answer_dialogs=False,
    frame_tree=False,
    oopif_evaluate=False,
    readable_behind_dialog=False,
    survives_reconnect="tabs and logins stay on the server until the task ends",
    guard_session=False,
    live_view=False,
    downloads="saved when a wait for a download reports them",
    actions=_ACTIONS,
    note="Camofox dismisses every dialog itself; install Tabwarden's plugin on the server to "
    "answer them.",
)
"""An unmodified server from npm."""

WITH_PLUGIN = Capabilities(
    detect_dialogs=True,
    answer_dialogs="within the server's handler timeout, 30 s by default",
    frame_tree=True,
    oopif_evaluate=True,
    readable_behind_dialog="the last known outline",
    survives_reconnect="tabs and logins stay on the server until the task ends",
    guard_session=False,
    live_view=False,
    downloads="saved when a wait for a download reports them",
    actions=_ACTIONS | {"dialog"},
)
"""A server with our plugin (``tabwarden plugins path camofox``)."""
