"""Dialogs as they are kept: those that wait, and those that were closed."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "RECENT_DIALOGS",
    "Channel",
    "ClosedBy",
    "ClosedDialog",
    "DialogAnswer",
    "PendingDialog",
]

RECENT_DIALOGS = 20
ClosedBy = Literal["agent", "auto_policy", "watchdog", "remote"]
Channel = Literal["debugger", "xhr", "native"]


class _Dialog(msgspec.Struct, frozen=True, kw_only=True):
    """What a dialog is, and where."""

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
    """Seconds since the epoch."""


class PendingDialog(_Dialog, frozen=True, kw_only=True):
    """A dialog that waits for an answer; while it does, its page stands still."""

    deadline: float
    """Monotonic seconds: when the watchdog dismisses it."""
    channel: Channel = "native"
    """How it waits: natively, in a request of the page's that we hold, or in a pause of its script,
    which leaves the page readable."""
    held_by: str = ""
    """Where it waits: the call frame of the pause, or the request's id."""
    guarded: bool = False
    """It opened on a wire that is dead; the guard keeps it open, and answers it."""
    may_be_early: bool = False
    """Its document may be one that we have not been told of yet."""
    is_leaving: bool = False
    """Its document is on its way out: the browser takes no answer, and can only be made to close
    it."""
    of_kin: bool = False
    """Another supervisor's bridge asks, and hears that one's words alone."""
    answer: DialogAnswer | None = None
    """Set once an answer is on its way to the browser, so that nobody answers twice."""

    @property
    def is_left_behind(self) -> bool:
        """Whether the wire that it waited on is dead, and its page has not asked again."""
        return self.channel != "native" and not self.held_by


class DialogAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer that was given, and by whom."""

    accept: bool
    prompt_text: str | None
    by: ClosedBy


class ClosedDialog(_Dialog, frozen=True, kw_only=True):
    """A dialog that was closed, one of the last 20."""

    closed_at: float
    closed_by: ClosedBy
    accepted: bool | None
    """None when nobody can know: the page went away under the dialog."""
    prompt_text: str | None
    channel: Channel = "native"
