"""List a tab's console messages for the agent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.page.task import Call, card
from tabwarden.results import ConsoleLine
from tabwarden.supervisor.core.handlers import LEVELS
from tabwarden.supervisor.core.state.inputs import ClearConsole


@card(
    "console",
    about="Read the page's latest console messages and uncaught errors.",
    permission="read",
    group="logs",
    destructive=False,
    gives=list[ConsoleLine],
    saves={},
    shows=False,
    acts=False,
    without_page=True,
)
async def console(
    call: Call,
    *,
    level: Annotated[
        Literal["debug", "info", "warning", "error"] | None,
        Field(description="Minimum level. Default: all."),
    ] = None,
    clear: Annotated[bool, Field(description="Delete the messages afterwards.")] = False,
) -> list[dict[str, Any]]:
    """Return a tab's last console messages, and the browser's messages about the page.
    ``value`` is a list, oldest first. ``source`` is ``console``, ``exception``, or the part
    of the browser that reports, such as ``security``.

    Args:
        level: only messages with this or a more severe level; all by default.
        clear: delete the messages after reading them.

    Raises:
        InvalidArgument: the level or the tab does not exist.
    """
    task, tab = call.task, call.tab
    wanted = LEVELS[LEVELS.index(level or LEVELS[0]) :]
    state = task.state
    # Errors have a separate ring buffer, so that a flood of other messages can't evict them.
    both = {m.number: m for m in (*state.console_errors, *state.console)}
    messages = [
        {
            "level": m.level,
            "text": m.text,
            "url": m.url,
            "line": m.line,
            "at": m.at,
            "source": m.source,
        }
        for _, m in sorted(both.items())
        if m.tab_id == tab.tab_id and m.level in wanted
    ]
    if clear:
        task.supervisor.feed(ClearConsole(tab.tab_id))
    return messages
