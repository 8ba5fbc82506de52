"""Dialogs in the state, open and closed."""

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
    """In wall-clock seconds since the epoch."""


class PendingDialog(Dialog, frozen=True, kw_only=True):
    """An open dialog. Its page is blocked until the dialog is answered."""

    deadline: float | None
    """When the watchdog dismisses the dialog, in monotonic seconds; None if it never does."""
    channel: Channel = "native"
    """How it waits: natively, in a request, or in a script pause, which keeps the page readable."""
    held_by: str = ""
    """The id of the paused call frame, or of the request, that keeps the dialog open."""
    guarded: bool = False
    """Whether the guard keeps the dialog open and must answer it."""
    may_be_early: bool = False
    """Whether its request may have arrived before the event about its document."""
    is_leaving: bool = False
    """Whether the dialog's document is being replaced. The browser then accepts no answer, but we
    can make it close the dialog."""
    of_kin: bool = False
    """Whether another supervisor's bridge, which ignores our cookie, opened the dialog."""
    answer: DialogAnswer | None = None
    """Set when an answer is sent, so that no second answer is sent."""

    @property
    def is_left_behind(self) -> bool:
        """Whether the dialog is from a lost connection and its page has not asked again."""
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
    """Whether it was accepted; None if nobody can know, because the page went away first."""
    prompt_text: str | None
    channel: Channel = "native"
