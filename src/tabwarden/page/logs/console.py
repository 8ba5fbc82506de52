"""List a tab's console messages for the agent."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tabwarden.page.task import Call, Done, LogCursor, card
from tabwarden.results import ConsoleLine
from tabwarden.supervisor.core.handlers import LEVELS
from tabwarden.supervisor.core.state.inputs import ClearConsole

_LISTED = 50


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
    new: Annotated[bool, Field(description="Only what is new since the last such call.")] = False,
) -> Done:
    """Return a tab's last console messages, and the browser's messages about the page.
    ``value`` is a list, oldest first. ``source`` is ``console``, ``exception``, or the part
    of the browser that reports, such as ``security``. The list is taken from the last 50
    messages and the last 50 errors of all tabs.

    Args:
        level: only messages with this or a more severe level; all by default.
        clear: delete the messages after reading them.
        new: only messages since the last call with ``new`` or ``clear`` for this tab, from the
            last 200 messages. A note counts the messages that are no longer stored.

    Raises:
        InvalidArgument: the level or the tab does not exist.
    """
    task, tab, memory = call.task, call.tab, call.memory
    wanted = LEVELS[LEVELS.index(level or LEVELS[0]) :]
    state = task.state
    console = state.console if new else state.console[-_LISTED:]
    # Errors have a separate ring buffer, so that a flood of other messages can't evict them.
    both = {m.number: m for m in (*state.console_errors, *console)}
    since = memory.console_read if new else LogCursor()
    kept = [
        m for _, m in sorted(both.items()) if m.tab_id == tab.tab_id and m.number > since.number
    ]
    count = state.console_counts.get(tab.tab_id, 0)
    messages = [
        {
            "level": m.level,
            "text": m.text,
            "url": m.url,
            "line": m.line,
            "at": m.at,
            "source": m.source,
        }
        for m in kept
        if m.level in wanted
    ]
    if new or clear:
        memory.console_read = LogCursor(state.next_console - 1, count)
    if clear:
        task.supervisor.feed(ClearConsole(tab.tab_id))
    lost = count - since.total - len(kept) if new else 0
    words = "message is" if lost == 1 else "messages are"
    return Done(messages, f"{lost} older {words} no longer stored." if lost else "")
