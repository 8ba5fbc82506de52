"""Dialogs, as the agent answers them."""

from __future__ import annotations

from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import AmbiguousDialog, InvalidArgument, NoDialog
from tabwarden.page.act import outcome_of
from tabwarden.page.result import ActionResult, dialog_json
from tabwarden.page.task import Task
from tabwarden.supervisor import AnswerDialog, PendingDialog, Race

__all__ = ["answer", "perform_answer"]


async def perform_answer(
    task: Task,
    budget: Budget,
    *,
    accept: bool,
    prompt_text: str | None = None,
    dialog_id: str | None = None,
) -> ActionResult:
    """``answer`` under a budget, as an action's result."""
    budget.check()
    with Race(task.supervisor, budget) as race:
        closed = await answer(
            task, race, accept=accept, prompt_text=prompt_text, dialog_id=dialog_id
        )
    return outcome_of(task, "dialog", closed["tab_id"], closed)


async def answer(
    task: Task,
    race: Race,
    *,
    accept: bool,
    prompt_text: str | None = None,
    dialog_id: str | None = None,
) -> dict[str, Any]:
    """Answer a dialog and wait until it is closed; the closed dialog as JSON.

    Raises:
        NoDialog: none waits, or not the one that was named.
        AmbiguousDialog: several wait and none was named.
        InvalidArgument: a text for what is no prompt.
    """
    dialog = _which(task, dialog_id)
    if prompt_text is not None and dialog.type != "prompt":
        raise InvalidArgument(
            f"{dialog.id} is {_a(dialog.type)} dialog: it takes no prompt_text.",
            "Leave prompt_text out.",
            field="prompt_text",
        )
    if accept and dialog.type == "prompt" and prompt_text is None:
        prompt_text = dialog.default_prompt
    task.supervisor.feed(AnswerDialog(dialog.id, accept, prompt_text))
    task.seen.answered(dialog.id)
    await race.until(lambda state: all(d.id != dialog.id for d in state.pending_dialogs))
    closed = next((d for d in task.state.recent_dialogs if d.id == dialog.id), None)
    if closed is None or closed.closed_by == "remote":
        raise NoDialog(
            f"{dialog.id} was closed by somebody else before the answer arrived.",
            "Take a snapshot and go on.",
            dialog=dialog_json(closed or dialog),
        )
    return dialog_json(closed)


def _which(task: Task, dialog_id: str | None) -> PendingDialog:
    waiting = [d for d in task.state.pending_dialogs if d.answer is None]
    if dialog_id is not None:
        waiting = [d for d in waiting if d.id == dialog_id]
    if len(waiting) == 1:
        return waiting[0]
    if waiting:
        listed = "; ".join(f"{d.id}: {d.type} {d.message[:80]!r}" for d in waiting)
        raise AmbiguousDialog(
            f"{len(waiting)} dialogs wait: {listed}.",
            "Name one with dialog_id.",
            dialogs=[dialog_json(d) for d in waiting],
        )
    recent = [dialog_json(d) for d in task.state.recent_dialogs[-3:]]
    what = f"Dialog {dialog_id!r} does not wait" if dialog_id else "No dialog waits"
    raise NoDialog(
        f"{what} for an answer.",
        "The page goes on by itself: take a snapshot.",
        recent_dialogs=recent,
    )


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
