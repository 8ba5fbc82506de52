"""Past dialogs: for an agent of that design none is ever in the way, as a policy answers them."""

from __future__ import annotations

import msgspec

from tabwarden.actions import Answer, Session, dispatch
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.surfaces.dialects.news import joined

__all__ = ["past_dialogs"]

_WAITS = ({"load_state": "load"}, {"selector": ":root"})
"""The second asks the page itself, which answers when its script is past its dialogs."""
_AT_MOST_MS = 5_000.0


async def past_dialogs(
    session: Session, config: BrowserConfig, answer: Answer, budget: Budget
) -> Answer:
    """An answer that waited for the dialogs which interrupted it, if the policy answers them.

    It tells which those were, and where the page stands then; a script's value is lost. A page that
    goes on asking is told as interrupted.
    """
    if not _is_answered_for_it(answer, config):
        return answer
    within = budget.child(at_most_ms=min(_AT_MOST_MS, budget.remaining_ms() * 0.9))
    news, lines = answer.data["new_since_last"], _news_lines(answer)
    waits = list(_WAITS)
    while waits:
        now = await dispatch(session, config, "browser_wait", waits[0], budget=within)
        if now.is_error:
            return answer
        news, lines = joined(news, now.data["new_since_last"]), [*lines, *_news_lines(now)]
        waits = list(_WAITS) if _is_answered_for_it(now, config) else waits[1:]
    where = [line for line in now.text.split("\n") if line.startswith(("tab ", "[Browser: "))]
    action = answer.data["action"]
    data = {**now.data, "action": action, "value": None, "new_since_last": news}
    text = "\n".join([f"{action}: ok", *where[:1], *lines, *where[1:]])
    return msgspec.structs.replace(answer, text=text, data=data)


def _is_answered_for_it(answer: Answer, config: BrowserConfig) -> bool:
    if answer.data.get("status") != "interrupted" or config.dialog_policy == "must_respond":
        return False
    return bool(answer.data["by"]["kind"] == "dialog")


def _news_lines(answer: Answer) -> list[str]:
    return [line for line in answer.text.split("\n") if line.startswith("new: ")]
