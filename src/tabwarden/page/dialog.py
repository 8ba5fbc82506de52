"""Dialogs, as the agent answers them."""

from __future__ import annotations

from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import AmbiguousDialog, Cancelled, InvalidArgument, NoDialog, TabwardenError
from tabwarden.page.act import but_rescue, or_rescued, outcome_of
from tabwarden.page.counted import counted
from tabwarden.page.result import ActionResult, Done, dialog_json
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.supervisor import (
    AnswerDialog,
    ClosedDialog,
    Interrupted,
    PendingDialog,
    Race,
    SupervisorState,
)
from tabwarden.supervisor.notices import DialogClosed, Notice

__all__ = ["answer", "perform_answer"]


_ANOTHER = "Another dialog opened."


@counted("dialog")
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
    await task.connected(budget)
    dialog = _which(task, dialog_id)

    async def answered() -> tuple[dict[str, Any], str]:
        with Race(task.supervisor, but_rescue(budget)) as race:
            closed = await answer(task, race, dialog, accept=accept, prompt_text=prompt_text)
        return closed, await _settled(task, but_rescue(budget), closed["tab_id"])

    # All of it: where the call is given up, what the answer set off is stopped.
    closed, note = await or_rescued(task, dialog.tab_id, budget, answered())
    if closed["type"] == "beforeunload" and not accept and not note:
        note = "The page was kept."
    return outcome_of(task, "dialog", closed["tab_id"], Done(closed, note))


async def _settled(task: Task, budget: Budget, tab_id: str) -> str:
    """Wait for what the answer set off: a page that goes on may leave.

    Raises:
        Cancelled: the caller has given up.
    """
    tab = task.state.tabs.get(tab_id)
    if tab is None or tab.status != "ready":
        return ""
    try:
        with Race(task.supervisor, budget, tab_id) as race:
            if task.state.dialogs_of(tab_id):  # it was quicker than this race
                return _ANOTHER
            note = await settle(task, race, tab)
            await task.refresh(race, tab_id)
            return note
    except Interrupted:
        return _ANOTHER
    except Cancelled:
        raise
    except TabwardenError:
        return ""  # the answer was taken; what became of the tab, the next call will tell


async def answer(
    task: Task,
    race: Race,
    dialog: PendingDialog,
    *,
    accept: bool,
    prompt_text: str | None = None,
) -> dict[str, Any]:
    """Answer a dialog and wait until it is closed; the closed dialog as JSON.

    Raises:
        NoDialog: somebody else closed it.
        InvalidArgument: a text for what is no prompt.
    """
    if prompt_text is not None and dialog.type != "prompt":
        raise InvalidArgument(
            f"{dialog.id} is {_a(dialog.type)} dialog: it takes no prompt_text.",
            "Leave prompt_text out.",
            field="prompt_text",
        )
    if accept and dialog.type == "prompt" and prompt_text is None:
        prompt_text = dialog.default_prompt
    # Left behind by a reconnect, until its page asks again.
    await race.until(
        lambda state: not any(d.id == dialog.id and d.is_left_behind for d in state.pending_dialogs)
    )
    closed = await _closed(task, race, AnswerDialog(dialog.id, accept, prompt_text))
    if closed is None or closed.closed_by == "remote":
        raise NoDialog(
            f"{dialog.id} was closed by somebody else before the answer arrived.",
            "Take a snapshot and go on.",
            dialog=dialog_json(closed or dialog),
        )
    return dialog_json(closed)


async def _closed(task: Task, race: Race, answer: AnswerDialog) -> ClosedDialog | None:
    """Give an answer and wait until the dialog is closed; how it was."""
    told: list[ClosedDialog] = []

    def observed(notices: tuple[Notice, ...], state: SupervisorState) -> None:
        _ = state
        told.extend(
            notice.dialog
            for notice in notices
            if isinstance(notice, DialogClosed) and notice.dialog.id == answer.dialog_id
        )

    unobserve = task.supervisor.observe(observed)
    try:
        task.supervisor.feed(answer)
        task.seen.answered(answer.dialog_id)
        await race.until(lambda s: all(d.id != answer.dialog_id for d in s.pending_dialogs))
    finally:
        unobserve()
    return told[-1] if told else None


def _which(task: Task, dialog_id: str | None) -> PendingDialog:
    all_waiting = [d for d in task.state.pending_dialogs if d.answer is None]
    waiting = [d for d in all_waiting if dialog_id in (None, d.id)]
    if len(waiting) == 1:
        return waiting[0]
    if waiting:
        raise AmbiguousDialog(
            f"{len(waiting)} dialogs wait: {_listed(waiting)}.",
            "Name one with dialog_id.",
            dialogs=[dialog_json(d) for d in waiting],
        )
    recent = [dialog_json(d) for d in task.state.recent_dialogs[-3:]]
    what = f"Dialog {dialog_id!r} does not wait" if dialog_id else "No dialog waits"
    if all_waiting:
        raise NoDialog(
            f"{what} for an answer.",
            f"Name one that does with dialog_id: {_listed(all_waiting)}.",
            dialogs=[dialog_json(d) for d in all_waiting],
            recent_dialogs=recent,
        )
    raise NoDialog(
        f"{what} for an answer.",
        "The page goes on by itself: take a snapshot.",
        recent_dialogs=recent,
    )


def _listed(dialogs: list[PendingDialog]) -> str:
    return "; ".join(f"{d.id}: {d.type} {d.message[:80]!r}" for d in dialogs)


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
