"""Dialogs: the queue, the answers, the policy, the ring of closed ones; and the native channel.

The event arrives on the root page's session even when an OOPIF opened the dialog; ``frameId``
names the frame (FINDINGS 5).
"""

from __future__ import annotations

from tabwarden.protocol import debugger, page
from tabwarden.supervisor import debugging
from tabwarden.supervisor.answers import UNANSWERABLE, answer_command, fulfilled
from tabwarden.supervisor.dialog_values import (
    RECENT_DIALOGS,
    Channel,
    ClosedBy,
    ClosedDialog,
    DialogAnswer,
    PendingDialog,
)
from tabwarden.supervisor.notices import DialogClosed, DialogOpened
from tabwarden.supervisor.policy import DialogPolicy
from tabwarden.supervisor.tabs import SessionInfo
from tabwarden.supervisor.turn import Ask, Turn
from tabwarden.supervisor.values import replace

__all__ = [
    "DialogAnswered",
    "answer",
    "answered",
    "close",
    "closed",
    "drop_dialogs",
    "drop_frame_dialogs",
    "open_dialog",
    "open_native",
    "opened",
    "watchdog",
]


class DialogAnswered(Ask, frozen=True):
    """The reply to ``Page.handleJavaScriptDialog``."""

    dialog_id: str


def opened(turn: Turn, event: page.JavascriptDialogOpening, session_id: str | None) -> None:
    """A dialog stands in a page."""
    session = turn.state.session(session_id)
    if session is None:
        return
    if _told_by_guard(turn, event, session):
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
    """A dialog waits that the browser shows itself."""
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
    """A dialog waits, on whichever channel; the policy may answer it at once."""
    policy = turn.state.policy
    if _asked_again(turn, session, kind, message, frame_id, channel, held_by, guarded):
        return
    holds = (session.session_id, held_by)
    if held_by and any((d.session_id, d.held_by) == holds for d in turn.state.pending_dialogs):
        return  # told twice: a pause or a request holds one dialog
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
        deadline=turn.now.monotonic + policy.dialog_timeout_s,
        channel=channel,
        held_by=held_by,
        may_be_early=channel == "xhr" and _is_on_its_way(turn, frame_id, url),
        is_leaving=is_leaving,
        guarded=guarded,
        of_kin=of_kin,
    )
    turn.change(next_dialog=number + 1, pending_dialogs=(*turn.state.pending_dialogs, dialog))
    turn.notify(DialogOpened(tab_id=dialog.tab_id, dialog=dialog))
    if not guarded:  # else its session is still to come, or can't be set up
        debugging.dialog_seen(turn, session, url)
    if is_leaving:
        answer(turn, dialog.id, accept=False, prompt_text=None, by="auto_policy")
    elif policy.dialog_policy is not DialogPolicy.MUST_RESPOND:
        accept = policy.dialog_policy is DialogPolicy.AUTO_ACCEPT
        text = dialog.default_prompt if accept and dialog.type == "prompt" else None
        answer(turn, dialog.id, accept=accept, prompt_text=text, by="auto_policy")


def _asked_again(
    turn: Turn,
    session: SessionInfo,
    kind: str,
    message: str,
    frame_id: str | None,
    channel: Channel,
    held_by: str,
    guarded: bool,
) -> bool:
    """A dialog that waited when the wire broke: the same one, on its new way."""
    for dialog in turn.state.pending_dialogs:
        same = (dialog.frame_id, dialog.type, dialog.message) == (frame_id, kind, message)
        if same and dialog.is_left_behind:
            way = {"channel": channel, "held_by": held_by, "guarded": guarded}
            _put(turn, replace(dialog, session_id=session.session_id, **way))
            return True
    return False


def _told_by_guard(turn: Turn, event: page.JavascriptDialogOpening, session: SessionInfo) -> bool:
    """A dialog that the guard was quicker to tell of: from now on it is the session's own."""
    told = (session.target_id, event.frame_id or None, event.type, event.message)
    for dialog in turn.state.pending_dialogs:
        known = (dialog.target_id, dialog.frame_id, dialog.type, dialog.message)
        if dialog.guarded and dialog.answer is None and known == told:
            _put(turn, replace(dialog, session_id=session.session_id, guarded=False))
            return True
    return False


def closed(turn: Turn, event: page.JavascriptDialogClosed, session_id: str | None) -> None:
    """The browser says that a dialog is over; who closed it follows from what we had sent."""
    session = turn.state.session(session_id)
    if session is None:
        return
    for dialog in turn.state.pending_dialogs:
        if dialog.target_id == session.target_id and dialog.channel == "native":
            text = event.user_input if event.result and dialog.type == "prompt" else None
            overtaken = dialog.answer is not None and dialog.answer.accept != event.result
            told = replace(dialog, answer=None) if overtaken else dialog
            if told.answer is None and not _is_leaving(turn, session):
                debugging.contest(turn)
            close(turn, told, accepted=event.result, prompt_text=text)
            return


def answer(
    turn: Turn, dialog_id: str, *, accept: bool, prompt_text: str | None, by: ClosedBy
) -> None:
    """Send the answer to a dialog that waits and has none on its way yet."""
    dialog = _pending(turn, dialog_id)
    if dialog is None or dialog.answer is not None:
        return
    if dialog.is_left_behind:
        return  # it was lost with the wire; its page asks again, or it is given up
    given = DialogAnswer(accept=accept, prompt_text=prompt_text, by=by)
    _put(turn, replace(dialog, answer=given))
    bridge = turn.state.policy.bridge
    command = answer_command(dialog, bridge, accept=accept, prompt_text=prompt_text)
    if dialog.guarded:
        turn.send_by_guard(command, dialog.target_id, DialogAnswered(dialog_id))
    else:
        turn.send(command, dialog.session_id, DialogAnswered(dialog_id))


def answered(turn: Turn, ask: DialogAnswered, error: str | None) -> None:
    """The browser took our answer, or had no dialog any more."""
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
        # "No dialog is showing": somebody else was quicker, or its document is gone.
        close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def watchdog(turn: Turn) -> None:
    """Dismiss what has waited longer than the policy allows."""
    for dialog in turn.state.pending_dialogs:
        if dialog.deadline <= turn.now.monotonic:
            answer(turn, dialog.id, accept=False, prompt_text=None, by="watchdog")


def drop_dialogs(turn: Turn, target_id: str, arrived: str | None = None) -> None:
    """The dialogs of a target that is gone, crashed, or shows another document (``arrived``)."""
    for dialog in turn.state.pending_dialogs:
        if dialog.target_id == target_id and not _is_early(dialog, arrived):
            close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def drop_frame_dialogs(turn: Turn, frame_id: str, arrived: str | None = None) -> None:
    """The dialogs of a frame whose document is gone.

    ``arrived`` is the URL of the document that took its place.
    """
    for dialog in turn.state.pending_dialogs:
        if dialog.frame_id == frame_id and not _is_early(dialog, arrived):
            close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _is_early(dialog: PendingDialog, arrived: str | None) -> bool:
    """Requests come another way than the news of a document: its dialog may be here first."""
    return dialog.may_be_early and arrived is not None and dialog.url == arrived


def _is_on_its_way(turn: Turn, frame_id: str | None, url: str) -> bool:
    frame = turn.state.frames.get(frame_id or "")
    return frame is None or frame.navigating or frame.url != url


def _forget_superseded(turn: Turn, target_id: str) -> None:
    """A page shows one native dialog at a time: a second opening means that the first is over."""
    for dialog in turn.state.pending_dialogs:
        if dialog.target_id == target_id and dialog.channel == "native":
            close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _is_leaving(turn: Turn, session: SessionInfo) -> bool:
    """A navigation closes a page's dialog too."""
    top = turn.state.frames.get(turn.state.top_frame_id(session.tab_id) or "")
    return top is None or top.navigating


def _has_left(turn: Turn, session: SessionInfo) -> bool:
    """Whether a page's document is out already, and the next one not yet in."""
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
    """A dialog is over."""
    bridge = turn.state.policy.bridge
    if dialog.channel == "xhr" and dialog.answer is None and bridge is not None:
        # Whoever still waits for it, if anybody does, goes on.
        turn.send(fulfilled(dialog.held_by, bridge), dialog.session_id)
    entry = ClosedDialog(
        id=dialog.id,
        type=dialog.type,
        message=dialog.message,
        default_prompt=dialog.default_prompt,
        frame_id=dialog.frame_id,
        session_id=dialog.session_id,
        target_id=dialog.target_id,
        tab_id=dialog.tab_id,
        url=dialog.url,
        opened_at=dialog.opened_at,
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
    if dialog.type == "beforeunload" and accepted is False:
        _stay(turn, dialog)


def _stay(turn: Turn, dialog: PendingDialog) -> None:
    """A page that was kept is on its way nowhere; no event says so when it wanted to go itself."""
    top = turn.state.frames.get(turn.state.top_frame_id(dialog.tab_id) or "")
    if top is not None and top.navigating:
        turn.put("frames", top.frame_id, replace(top, navigating=False, bound_for=""))
