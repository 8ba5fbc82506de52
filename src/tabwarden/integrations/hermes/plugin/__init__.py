"""The ``browser_*`` tools of Hermes Agent, implemented with Tabwarden. README.md says how to
install it.

``tools`` has the tools, ``tasks`` gives each Hermes task a browser, ``server`` sends requests to
``tabwarden serve``, and ``host`` calls Hermes itself. ``hints`` translates the server's hints, and
``reach`` reports which tools work now.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from . import host
from .hints import in_hermes
from .reach import Reach
from .server import Json, Refused
from .tasks import follow, on_session_end
from .tools import CDP_DOCS, TOOLS, Tool

_TOOLSET = "browser"
_REACH = Reach()
_NEEDS: dict[str, Callable[[], bool]] = {
    "browser_dialog": _REACH.has_dialogs,
    "browser_cdp": _REACH.has_cdp,
}
"""Tools that Hermes hides while they can't work. It shows the other tools even without a server,
because their error then explains how to start a server.
"""


def register(ctx: Any) -> None:
    """Replace Hermes' browser tools (Hermes calls this when it loads the plugin)."""
    for tool in TOOLS:
        ctx.register_tool(
            name=tool.name,
            toolset=_TOOLSET,
            schema=tool.schema(),
            handler=handler_of(tool),
            check_fn=_NEEDS.get(tool.name, _always),
            description=tool.about,
            override=True,
        )
    ctx.register_hook("on_session_end", on_session_end)


def _always() -> bool:
    return True


# Hermes lets a plugin replace a built-in tool only with a function of the plugin's own module.
def handler_of(tool: Tool) -> Callable[..., Any]:
    """Return the function that Hermes calls, with the model's arguments and ``task_id``."""

    def handle(args: Json, **context: Any) -> Any:
        task = str(context.get("task_id") or "default")
        try:
            missing = [name for name in tool.required if args.get(name) in (None, "")]
            if missing:
                raise Refused("invalid_argument", f"{tool.name} requires {missing[0]}.")
            follow(task)
            answer = tool.run(task, args)
        except Refused as refused:
            answer = {"success": False, "error": str(refused), "code": refused.code}
            if refused.data:
                answer["data"] = refused.data
            if tool.name == "browser_cdp":
                answer["cdp_docs"] = CDP_DOCS
        if isinstance(answer, dict) and answer.get("_multimodal"):
            return answer  # the image itself, for the main model
        if tool.name != "browser_cdp":
            answer = host.masked(in_hermes(answer))
        return json.dumps(answer, ensure_ascii=False)

    return handle
