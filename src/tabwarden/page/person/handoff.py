"""Ask a person for help, and wait until the person is done."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.hints import MORE_TIME, Hint, Next, joined
from tabwarden.page.call import instrumented, outcome_of
from tabwarden.page.control import Handoff
from tabwarden.page.task import ActionResult, Done, Task, card
from tabwarden.page.text import quoted

_NOTES = {
    "done": "",
    "refused": "The person refused. Continue without help, or tell your user.",
    "idle": "The person stopped giving input, so you have control again. Check their progress.",
    "operator": "The agent's operator took control back. Check the person's progress.",
    "nobody": "Nobody took control. Continue without help, or tell your user.",
    "closed": "The browser was closed.",
}

_COME = (
    " Tell your user to run `tabwarden live` in a terminal on the computer where Tabwarden runs. "
    "It shows this browser, and the user can take control there."
)
"""The instructions for the user. In a chat, the user sees only the agent's messages if the host
can't ask the user itself."""


@card(
    "handoff",
    about="Ask a person for help (a login, a code, a captcha), and wait until they are done.",
    permission="act",
    group="prompts",
    destructive=False,
    gives=results.Handoff,
    shows=False,
    turn=None,
)
@instrumented("handoff")
async def handoff(
    task: Task,
    budget: Budget,
    reason: Annotated[str, Field(description="What the person should do, written for them.")],
) -> ActionResult:
    """Ask a person to take control. Wait until they are done or refuse, or nobody takes
    control.

    ``value`` is ``{"id": "h-1", "outcome"}``, perhaps with ``by`` (the person's name) and
    ``message`` (the person's message). ``outcome`` is ``done``, ``refused``, ``idle`` (the
    person gave the page no input for too long), ``operator`` (the operator took control back),
    ``nobody``, or ``closed`` (the browser was closed). If the time limit passes first, it is
    ``waiting`` or ``under_way``. The hand-off then stays open for at least ten minutes, and the
    next call waits for the same hand-off.

    Args:
        reason: what the person should do, written for the person; at most 500 characters.
        timeout_ms: how long to wait. Allow plenty of time, because people are slow.

    Raises:
        InvalidArgument: the reason is empty or too long.
    """
    budget.check()
    await task.connected(budget)
    value, note = _value_and_note(task, await task.control.wait_for_handoff(budget, reason))
    return outcome_of(task, "handoff", task.state.active_tab_id or "", Done(value, note))


def _value_and_note(task: Task, handoff: Handoff) -> tuple[dict[str, Any], str]:
    value: dict[str, Any] = {"id": handoff.id, "outcome": handoff.outcome}
    value |= {name: text for name in ("by", "message") if (text := getattr(handoff, name))}
    come = _COME if task.control.link is not None else ""
    if handoff.outcome is not None:
        also = come if handoff.outcome == "nobody" else ""
        return value, f"{_NOTES[handoff.outcome]}{also}"
    holder = task.control.holder
    again = Hint("Ask again", Next("handoff", reason=handoff.reason), " to wait for the end, and ",
                 MORE_TIME, ".")  # fmt: skip
    if holder is not None:
        value |= {"outcome": "under_way", "by": holder.name}
        return value, joined(f"{quoted(holder.name)} has control and is not done yet.", again)
    value["outcome"] = "waiting"
    return value, joined(f"Nobody has taken control yet. The hand-off stays open.{come}", again)
