"""Console: list a tab's console messages for the agent."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.task import ActionSpec, Task
from tabwarden.supervisor import LEVELS, ClearConsole, Tab

CONSOLE = ActionSpec(name="console", acts=False)


async def messages(
    task: Task, tab: Tab, *, level: str | None = None, clear: bool = False
) -> list[dict[str, Any]]:
    """Return a tab's last console messages of ``level`` or higher, oldest first."""
    if level is not None and level not in LEVELS:
        raise InvalidArgument(
            f"level must be one of {', '.join(LEVELS)}, not {level!r}.", field="level"
        )
    wanted = LEVELS[LEVELS.index(level or LEVELS[0]) :]
    state = task.state
    # Errors have a separate ring buffer, so that many other messages can't push them out.
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
