"""The state of open and closed dialogs."""

from __future__ import annotations

from typing import Literal

import msgspec

RECENT_DIALOGS = 20
ClosedBy = Literal["agent", "person", "auto_policy", "watchdog", "remote"]
Channel = Literal["debugger", "xhr", "native"]


class Dialog(msgspec.Struct, frozen=True, kw_only=True):
    """The properties that open and closed dialogs share."""

    id: str
    type: str
    message: str
    default_prompt: str
    frame_id: str | None
    session_id: str
    target_id: str
    tab_id: str
    url: str
    opened_at: float
    """When the dialog opened, in wall-clock seconds since the epoch."""


class PendingDialog(Dialog, frozen=True, kw_only=True):
    """An open dialog. Its page is blocked until the dialog is answered."""

    deadline: float | None
    """When the policy's timeout dismisses the dialog, in monotonic seconds; None for never."""
    channel: Channel = "native"
    """How the dialog waits: as a native dialog, in a request, or in a script pause. A script pause
    keeps the page readable.
    """
    held_by: str = ""
    """The id of the paused call frame, or of the request, that keeps the dialog open."""
    guarded: bool = False
    """Whether the guard (``supervisor.link``) keeps the dialog open and must answer it."""
    may_be_early: bool = False
    """Whether the dialog's request may have arrived before the event about its document."""
    is_leaving: bool = False
    """Whether the dialog's document is being replaced. The browser then accepts no answers, but we
    can make it close the dialog.
    """
    of_kin: bool = False
    """Whether the dialog was opened by another supervisor's bridge, which ignores our cookie."""
    answer: DialogAnswer | None = None
    """Whether an answer has been sent; prevents a second answer."""

    @property
    def is_left_behind(self) -> bool:
        """Whether the dialog is from a lost connection, and its page has not reopened it."""
        return self.channel != "native" and not self.held_by


class DialogAnswer(msgspec.Struct, frozen=True, kw_only=True):
    accept: bool
    prompt_text: str | None
    by: ClosedBy


class ClosedDialog(Dialog, frozen=True, kw_only=True):
    """A closed dialog; the last 20 are kept."""

    closed_at: float
    closed_by: ClosedBy
    accepted: bool | None
    """Whether the dialog was accepted; None if unknown, because the page was gone first."""
    prompt_text: str | None
    channel: Channel = "native"
