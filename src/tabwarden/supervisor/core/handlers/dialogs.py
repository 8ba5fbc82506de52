"""Dialogs: open and closed dialogs, how they are answered, the dialog policy, and the native
channel.

A native dialog's event arrives on the root page's session even if an OOPIF opened the dialog;
``frameId`` names the frame (docs/facts.md, "Native dialogs").
"""

from __future__ import annotations

from tabwarden.protocol import debugger, page
from tabwarden.supervisor.core.handlers import debugging
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.answers import UNANSWERABLE, answer_command, fulfilled
from tabwarden.supervisor.core.state.dialog_values import (
    RECENT_DIALOGS,
    Channel,
    ClosedBy,
    ClosedDialog,
    Dialog,
    DialogAnswer,
    PendingDialog,
)
from tabwarden.supervisor.core.state.notices import DialogClosed, DialogOpened
from tabwarden.supervisor.core.state.policy import DialogPolicy
from tabwarden.supervisor.core.state.tabs import SessionInfo
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import replace


class DialogAnswered(Ask, frozen=True):
    """The reply to the command that answers a dialog."""

    dialog_id: str


def opened(turn: Turn, event: page.JavascriptDialogOpening, session_id: str | None) -> None:
    session = turn.state.session(session_id)
    if session is None:
        return
    if _is_from_guard(turn, event, session):
        return
    _forget_superseded(turn, session.target_id)
    open_native(turn, session, event, is_leaving=_has_left(turn, session))


def open_native(
    turn: Turn,
    session: SessionInfo,
    event: page.JavascriptDialogOpening,
    *,
    is_leaving: bool = False,
    guarded: bool = False,
) -> None:
    """Record a native dialog."""
    open_dialog(
        turn,
        session,
        kind=event.type,
        message=event.message,
        default_prompt=event.default_prompt or "",
        frame_id=event.frame_id or None,
        url=event.url,
        is_leaving=is_leaving,
        guarded=guarded,
    )


def open_dialog(
    turn: Turn,
    session: SessionInfo,
    *,
    kind: str,
    message: str,
    default_prompt: str,
    frame_id: str | None,
    url: str,
    channel: Channel = "native",
    held_by: str = "",
    is_leaving: bool = False,
    guarded: bool = False,
    of_kin: bool = False,
) -> None:
    """Record a dialog on any channel. The policy may answer the dialog immediately, but not in a
    tab that the agent has not used. In such a tab, the tab's user answers it.
    """
    policy = turn.state.policy
    is_others = policy.others_answer or turn.state.agents_part(session.tab_id) == "none"
    number = turn.state.next_dialog
    dialog = PendingDialog(
        id=f"d-{number}",
        type=kind,
        message=message,
        default_prompt=default_prompt,
        frame_id=frame_id,
        session_id=session.session_id,
        target_id=session.target_id,
        tab_id=session.tab_id,
        url=url,
        opened_at=turn.now.wall,
        deadline=None if is_others else turn.now.monotonic + policy.dialog_timeout_s,
        channel=channel,
        held_by=held_by,
        may_be_early=channel == "xhr" and _is_on_its_way(turn, frame_id, url),
        is_leaving=is_leaving,
        guarded=guarded,
        of_kin=of_kin,
    )
    if _is_reopened(turn, dialog):
        return
    holds = (session.session_id, held_by)
    if held_by and any((d.session_id, d.held_by) == holds for d in turn.state.pending_dialogs):
        return  # a duplicate: each pause or request has only one dialog
    turn.change(next_dialog=number + 1, pending_dialogs=(*turn.state.pending_dialogs, dialog))
    turn.notify(DialogOpened(tab_id=dialog.tab_id, dialog=dialog))
    if not guarded:  # a guarded page has no session yet, or can't be set up
        debugging.dialog_seen(turn, session, url)
    if is_others:
        return
    if is_leaving:
        answer(turn, dialog.id, accept=False, prompt_text=None, by="auto_policy")
    elif policy.answers_dialogs:
        # Otherwise, the agent could not leave the page. Playwright, too, accepts these dialogs.
        leaves = kind == "beforeunload" and session.tab_id in turn.state.leaving
        accept = leaves or policy.dialog_policy is DialogPolicy.AUTO_ACCEPT
        text = dialog.default_prompt if accept and dialog.type == "prompt" else None
        answer(turn, dialog.id, accept=accept, prompt_text=text, by="auto_policy")


def _is_reopened(turn: Turn, again: PendingDialog) -> bool:
    """Whether a page is reopening a dialog that was open when the connection was lost. If so,
    record the channel on which the dialog now waits.
    """
    same = (again.frame_id, again.type, again.message)
    for dialog in turn.state.pending_dialogs:
        if dialog.is_left_behind and (dialog.frame_id, dialog.type, dialog.message) == same:
            way = {"channel": again.channel, "held_by": again.held_by, "guarded": again.guarded}
            _put(turn, replace(dialog, session_id=again.session_id, **way))
            return True
    return False


def _is_from_guard(turn: Turn, event: page.JavascriptDialogOpening, session: SessionInfo) -> bool:
    """Whether the guard already reported this dialog. If so, assign the dialog to the session."""
    key = (session.target_id, event.frame_id or None, event.type, event.message)
    for dialog in turn.state.pending_dialogs:
        known = (dialog.target_id, dialog.frame_id, dialog.type, dialog.message)
        if dialog.guarded and dialog.answer is None and known == key:
            _put(turn, replace(dialog, session_id=session.session_id, guarded=False))
            return True
    return False


def closed(turn: Turn, event: page.JavascriptDialogClosed, session_id: str | None) -> None:
    """Record that a native dialog closed. If the event matches our answer, record that our answer
    closed the dialog. Otherwise, something else closed it.
    """
    session = turn.state.session(session_id)
    if session is None:
        return
    for dialog in turn.state.pending_dialogs:
        if dialog.target_id == session.target_id and dialog.channel == "native":
            text = event.user_input if event.result and dialog.type == "prompt" else None
            overtaken = dialog.answer is not None and dialog.answer.accept != event.result
            closed_dialog = replace(dialog, answer=None) if overtaken else dialog
            if closed_dialog.answer is None and not _is_leaving(turn, session):
                debugging.contest(turn)
            close(turn, closed_dialog, accepted=event.result, prompt_text=text)
            return


def set_leaving(turn: Turn, input_: inputs.SetLeaving) -> None:
    tab_ids, known = {input_.tab_id}, turn.state.leaving
    turn.change(leaving=known | tab_ids if input_.on else known - tab_ids)


def answered_by_caller(turn: Turn, input_: inputs.AnswerDialog) -> None:
    text = input_.prompt_text
    answer(turn, input_.dialog_id, accept=input_.accept, prompt_text=text, by=input_.by)


def answer(
    turn: Turn, dialog_id: str, *, accept: bool, prompt_text: str | None, by: ClosedBy
) -> None:
    """Answer an open dialog, unless an answer has already been sent."""
    dialog = _pending(turn, dialog_id)
    if dialog is None or dialog.answer is not None:
        return
    if dialog.is_left_behind:
        return  # the connection is lost: the page reopens the dialog, or we close it later
    dialog_answer = DialogAnswer(accept=accept, prompt_text=prompt_text, by=by)
    _put(turn, replace(dialog, answer=dialog_answer))
    bridge = turn.state.policy.bridge
    command = answer_command(dialog, bridge, accept=accept, prompt_text=prompt_text)
    if dialog.guarded:
        turn.send_by_guard(command, dialog.target_id, DialogAnswered(dialog_id))
    else:
        turn.send(command, dialog.session_id, DialogAnswered(dialog_id))


def answered(turn: Turn, ask: DialogAnswered, error: str | None) -> None:
    """Handle the reply to our answer: the browser accepted it, or the dialog was already closed."""
    dialog = _pending(turn, ask.dialog_id)
    if dialog is None or dialog.answer is None:
        return
    if dialog.channel == "debugger":
        turn.send(debugger.Resume(), dialog.session_id)
    if error is None:
        accepted = dialog.answer.accept
        close(turn, dialog, accepted=accepted, prompt_text=dialog.answer.prompt_text)
    elif UNANSWERABLE in error and dialog.channel == "native" and not dialog.is_leaving:
        _put(turn, replace(dialog, is_leaving=True, answer=None))
        answer(turn, dialog.id, accept=False, prompt_text=None, by=dialog.answer.by)
    else:
        # "No dialog is showing": another client closed the dialog first, or the dialog's document
        # is gone.
        close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def watchdog(turn: Turn, _: inputs.Tick) -> None:
    """Dismiss dialogs that have been open longer than the policy allows."""
    for dialog in turn.state.pending_dialogs:
        if dialog.deadline is not None and dialog.deadline <= turn.now.monotonic:
            answer(turn, dialog.id, accept=False, prompt_text=None, by="watchdog")


def drop_dialogs(turn: Turn, target_id: str, arrived: str | None = None) -> None:
    """Close a target's dialogs: the target is gone, has crashed, or shows another document (with
    URL ``arrived``).
    """
    for dialog in turn.state.pending_dialogs:
        if dialog.target_id == target_id and not _is_early(dialog, arrived):
            close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def drop_frame_dialogs(turn: Turn, frame_id: str, arrived: str | None = None) -> None:
    """Close a frame's dialogs: the frame shows another document (with URL ``arrived``), or no
    longer exists.
    """
    for dialog in turn.state.pending_dialogs:
        if dialog.frame_id == frame_id and not _is_early(dialog, arrived):
            close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _is_early(dialog: PendingDialog, arrived: str | None) -> bool:
    """Whether the dialog belongs to the new document. This is possible because a request can
    precede the commit event.
    """
    return dialog.may_be_early and arrived is not None and dialog.url == arrived


def _is_on_its_way(turn: Turn, frame_id: str | None, url: str) -> bool:
    frame = turn.state.frames.get(frame_id or "")
    return frame is None or frame.navigating or frame.url != url


def _forget_superseded(turn: Turn, target_id: str) -> None:
    """Record that the target's older native dialog closed, because a page shows only one native
    dialog at a time.
    """
    for dialog in turn.state.pending_dialogs:
        if dialog.target_id == target_id and dialog.channel == "native":
            close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _is_leaving(turn: Turn, session: SessionInfo) -> bool:
    """Whether the page is navigating, which also closes the dialog."""
    top = turn.state.frames.get(turn.state.top_frame_id(session.tab_id) or "")
    return top is None or top.navigating


def _has_left(turn: Turn, session: SessionInfo) -> bool:
    """Whether a page's old document is gone and the next document has not arrived yet."""
    top = turn.state.top_frame(session.tab_id)
    return top is not None and top.navigating and top.frame_id not in turn.state.contexts


def _pending(turn: Turn, dialog_id: str) -> PendingDialog | None:
    return next((d for d in turn.state.pending_dialogs if d.id == dialog_id), None)


def _put(turn: Turn, dialog: PendingDialog) -> None:
    turn.change(
        pending_dialogs=tuple(
            dialog if d.id == dialog.id else d for d in turn.state.pending_dialogs
        )
    )


def close(
    turn: Turn, dialog: PendingDialog, *, accepted: bool | None, prompt_text: str | None
) -> None:
    bridge = turn.state.policy.bridge
    if dialog.channel == "xhr" and dialog.answer is None and bridge is not None:
        # If a page is still waiting for the dialog, let the page continue.
        turn.send(fulfilled(dialog.held_by, bridge), dialog.session_id)
    entry = ClosedDialog(
        **{field: getattr(dialog, field) for field in Dialog.__struct_fields__},
        closed_at=turn.now.wall,
        closed_by=dialog.answer.by if dialog.answer else "remote",
        accepted=accepted,
        prompt_text=prompt_text,
        channel=dialog.channel,
    )
    turn.change(
        pending_dialogs=tuple(d for d in turn.state.pending_dialogs if d.id != dialog.id),
        recent_dialogs=(*turn.state.recent_dialogs, entry)[-RECENT_DIALOGS:],
    )
    turn.notify(DialogClosed(tab_id=dialog.tab_id, dialog=entry))
    if accepted is not None:
        turn.record("dialog_answered", dialog.tab_id, dialog=entry)
    if dialog.type == "beforeunload" and accepted is False:
        _stay(turn, dialog)


def _stay(turn: Turn, dialog: PendingDialog) -> None:
    """Record the end of a navigation that was stopped by the answer to its ``beforeunload`` dialog.
    If the page started the navigation, no event reports its end.
    """
    top = turn.state.frames.get(turn.state.top_frame_id(dialog.tab_id) or "")
    if top is not None and top.navigating:
        turn.put("frames", top.frame_id, replace(top, navigating=False, bound_for=""))


EVENTS = ((page.JavascriptDialogOpening, opened), (page.JavascriptDialogClosed, closed))
INPUTS = (
    (inputs.AnswerDialog, answered_by_caller),
    (inputs.SetLeaving, set_leaving),
    (inputs.Tick, watchdog),
)
REPLIES = ((DialogAnswered, answered),)
