"""The console, as the agent reads it."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.task import Task
from tabwarden.supervisor import LEVELS, ClearConsole, Tab

__all__ = ["messages"]


async def messages(
    task: Task, tab: Tab, *, level: str | None = None, clear: bool = False
) -> list[dict[str, Any]]:
    """A tab's last console messages, oldest first, from ``level`` up.

    Raises:
        InvalidArgument: no such level.
    """
    if level is not None and level not in LEVELS:
        raise InvalidArgument(
            f"level must be one of {', '.join(LEVELS)}, not {level!r}.", field="level"
        )
    wanted = LEVELS[LEVELS.index(level or LEVELS[0]) :]
    state = task.state
    # Errors have a ring of their own, which a flood of other messages can't empty.
    both = {m.number: m for m in (*state.console_errors, *state.console)}
    found = [
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
    return found
