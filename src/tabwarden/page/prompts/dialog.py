"""Answer JavaScript dialogs for the agent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.errors import (
    AmbiguousDialog,
    Cancelled,
    InvalidArgument,
    NoDialog,
    NotSupported,
    TabwardenError,
)
from tabwarden.hints import Hint, Param, joined
from tabwarden.journal import current_person
from tabwarden.page.call import (
    PageState,
    budget_before_rescue,
    collect_effects,
    describe_new_document,
    instrumented,
    navigation_since,
    observe_further,
    outcome_of,
    page_state_of,
    run_or_rescue,
    settle,
)
from tabwarden.page.task import (
    CARDS,
    ActionResult,
    Call,
    Done,
    Task,
    card,
    dialog_json,
    effect_line,
    facts_of,
)
from tabwarden.supervisor.core.state.dialog_values import ClosedBy, ClosedDialog, PendingDialog
from tabwarden.supervisor.core.state.inputs import AnswerDialog
from tabwarden.supervisor.core.state.notices import DialogClosed, Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Interrupted, Race

_OTHERS = {"person": "A person", "agent": "The agent"}
_ANOTHER = "Another dialog opened."


@card(
    "dialog",
    about="""Answer an open JavaScript dialog (alert, confirm, prompt).

    For beforeunload, accept leaves the page and loses unsaved changes; dismiss stays.""",
    permission="act",
    group="core",
    needs="dialogs",
    gives=results.Dialog,
    turn=None,
)
@instrumented("dialog")
async def dialog(
    task: Task,
    budget: Budget,
    action: Annotated[
        Literal["accept", "dismiss"], Field(description="accept: OK; dismiss: Cancel.")
    ],
    prompt_text: Annotated[
        str | None, Field(description="Text for a prompt. Default: the prompt's default text.")
    ] = None,
    *,
    dialog_id: Annotated[
        str | None, Field(description="The dialog's id (d-1), if several are open.")
    ] = None,
    tab_id: str | None = None,
) -> ActionResult:
    """Answer a JavaScript dialog. ``value`` is the closed dialog.

    Args:
        action: accept or dismiss. For ``beforeunload``, accept leaves the page and loses
            unsaved changes; dismiss stays.
        prompt_text: the text to enter in a prompt; by default the prompt's default text.
        dialog_id: the dialog's id, if several dialogs are open.
        tab_id: answer only a dialog in this tab; by default, in any tab.

    Raises:
        NoDialog: no dialog is open.
        AmbiguousDialog: several dialogs are open; pass ``dialog_id``.
        InvalidArgument: the caller passed ``prompt_text`` for a dialog that is not a prompt.
    """
    budget.check()
    await task.connected(budget)
    await task.control.given_back(budget)
    if tab_id is not None:
        task.tab(tab_id)
    pending, accept = which(task.state, dialog_id, tab_id), action == "accept"
    state, before = task.state, page_state_of(task.state, pending.tab_id)

    async def answered() -> tuple[dict[str, Any], Done]:
        with Race(task.supervisor, budget_before_rescue(budget)) as race:
            closed = await answer(task, race, pending, accept=accept, prompt_text=prompt_text)
        return closed, await _settled(task, budget_before_rescue(budget), closed["tab_id"], before)

    # The rescue also covers the wait for the answer's effects. If the caller gives up, the rescue
    # stops any script that the answer started.
    with observe_further(task, pending.tab_id) as watch:
        closed, done = await run_or_rescue(task, pending.tab_id, budget, answered())
    if closed["type"] == "beforeunload" and not accept and not done.note:
        done = done._replace(note="The page stays open.")
    done = done._replace(value=closed)
    result = outcome_of(task, "dialog", closed["tab_id"], done, before)
    if watch is not None:
        effect = facts_of(watch.line(task.state))
    else:
        effect = effect_line(state, task.state, pending.tab_id, ())
    return msgspec.structs.replace(result, effect=task.control.hide(effect))


async def _settled(task: Task, budget: Budget, tab_id: str, before: PageState) -> Done:
    """Wait for the answer's effects, because the resumed page may navigate away. Raise
    ``Cancelled`` if the caller has given up."""
    tab = task.state.tabs.get(tab_id)
    if tab is None or tab.status != "ready":
        return Done()
    try:
        with Race(task.supervisor, budget, tab_id) as race:
            if task.state.dialogs_of(tab_id):  # another dialog had opened before this call began
                return Done(note=_ANOTHER)
            call = Call(task, race, tab, CARDS[dialog])
            done = Done(note=await settle(call))
            if navigation_since(task, tab_id, before) == "new_document":
                done = await describe_new_document(call, done)
                done = done._replace(note=joined(*race.notes, done.note))
            await task.refresh(race, tab_id)
            await collect_effects(call)
            return done
    except Interrupted:
        return Done(note=_ANOTHER)
    except Cancelled:
        raise
    except TabwardenError:
        return Done()  # the answer was accepted; the next call will report the tab's state


async def answer(
    task: Task,
    race: Race,
    dialog: PendingDialog,
    *,
    accept: bool,
    prompt_text: str | None = None,
) -> dict[str, Any]:
    """Answer a dialog, wait until it is closed, and return it as JSON.

    Raises:
        NoDialog: someone else closed the dialog.
        InvalidArgument: the caller gave ``prompt_text``, but the dialog is not a ``prompt``.
        NotSupported: the dialog blocks the application that embeds the browser.
    """
    if prompt_text is not None and dialog.type != "prompt":
        raise InvalidArgument(
            f"{dialog.id} is {_a(dialog.type)} dialog, so it accepts no text.",
            "Omit the text.",
            field="prompt_text",
        )
    if dialog.channel == "native" and not task.supervisor.capabilities.native_dialogs:
        raise NotSupported(
            f"{dialog.id} is a window of the application, which blocks the whole application until "
            "a person closes it there.",
            "Ask a person to answer it in the application, or start the application again.",
        )
    if accept and dialog.type == "prompt" and prompt_text is None:
        prompt_text = dialog.default_prompt
    # After a reconnect, wait until the page opens its dialog again.
    await race.until(
        lambda state: not any(d.id == dialog.id and d.is_left_behind for d in state.pending_dialogs)
    )
    by: ClosedBy = "agent" if current_person() is None else "person"
    closed = await _closed(task, race, AnswerDialog(dialog.id, accept, prompt_text, by))
    if closed is None or closed.closed_by in {"remote", "agent", "person"} - {by}:
        who = _OTHERS.get(closed.closed_by if closed else "", "Something else")
        raise NoDialog(
            f"{who} closed {dialog.id} before the answer arrived.",
            "Take a snapshot and continue.",
            dialog=dialog_json(closed or dialog),
        )
    return dialog_json(closed)


async def _closed(task: Task, race: Race, answer: AnswerDialog) -> ClosedDialog | None:
    closed: list[ClosedDialog] = []

    def observed(notices: tuple[Notice, ...], state: SupervisorState) -> None:
        _ = state
        closed.extend(
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
    return closed[-1] if closed else None


def which(
    state: SupervisorState, dialog_id: str | None, tab_id: str | None = None
) -> PendingDialog:
    """Return the open dialog to answer. If ``tab_id`` is not None, only dialogs in that tab count.

    Raises:
        NoDialog: no such dialog is open.
        AmbiguousDialog: several dialogs are open, and ``dialog_id`` is None.
    """
    all_waiting = [
        d for d in state.pending_dialogs if d.answer is None and tab_id in (None, d.tab_id)
    ]
    waiting = [d for d in all_waiting if dialog_id in (None, d.id)]
    if len(waiting) == 1:
        return waiting[0]
    if waiting:
        raise AmbiguousDialog(
            f"{len(waiting)} dialogs are open: {_listed(waiting)}.",
            Hint("Choose one with ", Param("dialog_id"), "."),
            dialogs=[dialog_json(d) for d in waiting],
        )
    recent = [dialog_json(d) for d in state.recent_dialogs[-3:]]
    what = f"Dialog {dialog_id!r} is not waiting" if dialog_id else "No dialog is waiting"
    what += f" in tab {tab_id}" if tab_id else ""
    hint = "The page is not blocked. Take a snapshot."
    others: dict[str, Any] = {}
    if all_waiting:
        hint = Hint("Choose an open dialog with ", Param("dialog_id"), f": {_listed(all_waiting)}.")
        others = {"dialogs": [dialog_json(d) for d in all_waiting]}
    raise NoDialog(f"{what} for an answer.", hint, **others, recent_dialogs=recent)


def _listed(dialogs: list[PendingDialog]) -> str:
    return "; ".join(f"{d.id}: {d.type} {d.message[:80]!r}" for d in dialogs)


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
