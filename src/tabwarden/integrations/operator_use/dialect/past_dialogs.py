"""Wait until the policy has closed the open dialogs, because Operator-Use agents can't close
dialogs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.actions import Answer, Session, dispatch
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.integrations.dialect import joined
from tabwarden.integrations.operator_use.dialect.timing import READ_MS

_WAITS = ({"load_state": "load"}, {"selector": ":root"})
"""The conditions to wait for, in order. The page can meet the second condition only when no dialog
blocks its script.
"""


_OPENED = "A dialog opened: "


async def past_dialogs(
    session: Session, config: BrowserConfig, answer: Answer, budget: Budget
) -> Answer:
    """If dialogs interrupted a call, wait until the policy has closed them. Return a new result.

    The new result lists the dialogs, and the page's state after them. The value of an interrupted
    script is lost. If the policy does not close dialogs, or the page keeps opening dialogs, return
    the original result, which reports the interruption.
    """
    if not _is_answered_for_it(answer, config):
        return answer
    within = budget.child(at_most_ms=min(READ_MS, budget.remaining_ms() * 0.9))
    news, lines = _news(answer)
    waits = list(_WAITS)
    while waits:
        now = await dispatch(session, config, "browser_wait", waits[0], budget=within)
        if now.is_error:
            return answer
        more_news, more_lines = _news(now)
        news, lines = joined(news, more_news), [*lines, *more_lines]
        waits = list(_WAITS) if _is_answered_for_it(now, config) else waits[1:]
    where = [line for line in now.words.split("\n") if line.startswith("tab ")]
    action = answer.data["action"]
    data = {**now.data, "action": action, "value": None, "new_since_last": news}
    text = "\n".join([f"{action}: ok", *where, *lines, *([now.state] if now.state else [])])
    return msgspec.structs.replace(answer, text=text, data=data, state=now.state)


def _is_answered_for_it(answer: Answer, config: BrowserConfig) -> bool:
    if answer.data.get("status") != "interrupted" or config.dialog_policy == "must_respond":
        return False
    return bool(answer.data["by"]["kind"] == "dialog")


def _news(answer: Answer) -> tuple[Mapping[str, Any], list[str]]:
    """Return a result's news, and a line for each. The dialog that interrupted the call is news,
    too, if the policy has closed it."""
    news, lines = answer.data["new_since_last"], []
    for line in answer.text.split("\n"):
        if line.startswith("new: "):
            lines.append(line)
        dialog = (answer.data.get("by") or {}).get("dialog", {})
        if line.startswith(_OPENED) and "closed_by" in dialog:
            how = {True: "accepted", False: "dismissed", None: "gone"}[dialog["accepted"]]
            lines.append(
                f"new: dialog {line.removeprefix(_OPENED)}: {how} by {dialog['closed_by']}"
            )
            news = joined({"dialogs": [dialog]}, news)
    return news, lines
