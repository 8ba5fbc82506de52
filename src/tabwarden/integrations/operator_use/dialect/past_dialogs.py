"""Wait until the policy has closed the open dialogs, because Operator-Use agents can't close
dialogs.
"""

from __future__ import annotations

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
    news, lines = answer.data["new_since_last"], _news_lines(answer)
    waits = list(_WAITS)
    while waits:
        now = await dispatch(session, config, "browser_wait", waits[0], budget=within)
        if now.is_error:
            return answer
        news, lines = joined(news, now.data["new_since_last"]), [*lines, *_news_lines(now)]
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


def _news_lines(answer: Answer) -> list[str]:
    return [line for line in answer.text.split("\n") if line.startswith("new: ")]
