"""Notices: small values that the state machine emits along with the state, one for each event.

A notice can end a waiting call, and subscribers receive all notices in order.
"""

from __future__ import annotations

import msgspec

from tabwarden.egress.gate import Why
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.notes import Note
from tabwarden.supervisor.core.state.prompts import Prompt


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all notices; ``tab_id`` is "" if a notice concerns the whole task."""

    tab_id: str = ""


class DialogOpened(Notice, frozen=True, kw_only=True):
    """A dialog opened and waits for an answer."""

    dialog: PendingDialog


class DialogClosed(Notice, frozen=True, kw_only=True):
    """A dialog closed."""

    dialog: ClosedDialog


class PromptOpened(Notice, frozen=True, kw_only=True):
    """A prompt waits. Used for kinds that have no notice of their own."""

    prompt: Prompt


class PromptClosed(Notice, frozen=True, kw_only=True):
    """A prompt of such a kind is over."""

    prompt_id: str


class PromptInterrupts(Notice, frozen=True, kw_only=True):
    """Base of notices about prompts that interrupt waiting calls on their tab."""

    @property
    def prompt(self) -> Prompt:
        """The open prompt."""
        raise NotImplementedError


class DownloadProgress(Notice, frozen=True, kw_only=True):
    """A download began, progressed, or ended."""

    download: Download


class DownloadArrived(Notice, frozen=True, kw_only=True):
    """A download is in the folder under its guid; the driver renames it."""

    download: Download
    folder: str


class Noted(Notice, frozen=True, kw_only=True):
    """A page printed, called another program, or asked for a permission."""

    note: Note


class ConnectionRefused(Notice, frozen=True, kw_only=True):
    """The network policy refused a connection."""

    place: str
    """``host:port``."""
    why: Why
    """``private``, ``metadata``, ``blocked_origin``, ...: ``tabwarden.egress.gate.REASONS``."""


class StateInvalidated(Notice, frozen=True, kw_only=True):
    """What we knew about a tab is no longer valid: read the tab again before using old results."""

    reason: str


class NavigationStarted(Notice, frozen=True, kw_only=True):
    """A frame is navigating to another document."""

    frame_id: str
    url: str


class NavigationSettled(Notice, frozen=True, kw_only=True):
    """A frame's navigation ended: its document has loaded, or none came."""

    frame_id: str
    url: str


class TabOpened(Notice, frozen=True, kw_only=True):
    """A tab exists, but is not set up yet."""


class PopupOpened(Notice, frozen=True, kw_only=True):
    """A page opened another one; ``TabOpened`` came first."""

    opener_tab_id: str


class TabClosed(Notice, frozen=True, kw_only=True):
    """A tab closed, whoever closed it."""

    reason: str


class TabReplaced(Notice, frozen=True, kw_only=True):
    """A tab that could not be unblocked has a new target, at its last URL."""

    target_id: str


class TargetCrashed(Notice, frozen=True, kw_only=True):
    """A renderer of the tab crashed: the tab's own, or a frame's (``is_oopif``)."""

    reason: str
    is_oopif: bool = False
    session_id: str = ""
    """The session of the crashed frame."""


class SessionReady(Notice, frozen=True, kw_only=True):
    """A session is set up; its frames are known."""

    session_id: str


class SessionDetached(Notice, frozen=True, kw_only=True):
    """A session is gone; commands sent in it will never get a reply."""

    session_id: str
    reason: str


class FrameNavigated(Notice, frozen=True, kw_only=True):
    """A frame shows another document, or its document has another URL."""

    frame_id: str
    url: str
    same_document: bool


class LifecycleReached(Notice, frozen=True, kw_only=True):
    """A frame's document reached ``DOMContentLoaded``, ``load``, ``networkIdle``, ..."""

    frame_id: str
    loader_id: str
    name: str


class EndpointLost(Notice, frozen=True, kw_only=True):
    """The browser can't be reached; ``reconnecting`` while we try again."""

    reason: str
    reconnecting: bool = False


class EndpointRegained(Notice, frozen=True, kw_only=True):
    """The connection is back; tabs that closed meanwhile have been reported."""
