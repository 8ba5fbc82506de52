"""The ``browser_*`` tools of Hermes Agent, on Tabwarden. README.md says how to install it.

``tools`` has the tools, ``tasks`` gives each Hermes task a browser, ``server`` speaks to
``tabwarden serve``, and ``host`` has what comes from Hermes itself.
"""

from __future__ import annotations

from typing import Any

from .tasks import on_session_end
from .tools import TOOLS, handler_of

_TOOLSET = "browser"


def register(ctx: Any) -> None:
    """Replace Hermes' browser tools (Hermes calls this when it loads the plugin)."""
    for tool in TOOLS:
        ctx.register_tool(
            name=tool.name,
            toolset=_TOOLSET,
            schema=tool.schema(),
            handler=handler_of(tool),
            check_fn=lambda: True,
            description=tool.about,
            override=True,
        )
    ctx.register_hook("on_session_end", on_session_end)
