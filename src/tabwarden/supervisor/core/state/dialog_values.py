"""Dialogs in the state: open ones and closed ones."""

from __future__ import annotations

from typing import Literal

import msgspec

RECENT_DIALOGS = 20
ClosedBy = Literal["agent", "auto_policy", "watchdog", "remote"]
Channel = Literal["debugger", "xhr", "native"]


class Dialog(msgspec.Struct, frozen=True, kw_only=True):
    """The properties of a dialog."""

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
    """In wall-clock seconds since the epoch."""


class PendingDialog(Dialog, frozen=True, kw_only=True):
    """An open dialog; its page is blocked until it is answered."""

    deadline: float
    """When the watchdog dismisses it, in monotonic seconds."""
    channel: Channel = "native"
    """How it waits: natively, in an intercepted request, or in a script pause, which keeps the page
    readable."""
    held_by: str = ""
    """What keeps it open: the id of the paused call frame, or of the request."""
    guarded: bool = False
    """It opened on a connection that is now dead. The guard keeps it open and can answer it."""
    may_be_early: bool = False
    """We may not have received the event about its document yet."""
    is_leaving: bool = False
    """Its document is being replaced. The browser accepts no answer any more, but we can make it
    close the dialog."""
    of_kin: bool = False
    """It belongs to another supervisor's bridge, so only an answer in that supervisor's form
    works."""
    answer: DialogAnswer | None = None
    """Set when an answer is sent, so that nobody answers twice."""

    @property
    def is_left_behind(self) -> bool:
        """Whether the dialog is from a lost connection and its page has not asked again."""
        return self.channel != "native" and not self.held_by


class DialogAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, and who gave it."""

    accept: bool
    prompt_text: str | None
    by: ClosedBy


class ClosedDialog(Dialog, frozen=True, kw_only=True):
    """A closed dialog; the last 20 are kept."""

    closed_at: float
    closed_by: ClosedBy
    accepted: bool | None
    """Whether it was accepted. None if the page went away while the dialog was open, so nobody can
    know."""
    prompt_text: str | None
    channel: Channel = "native"
