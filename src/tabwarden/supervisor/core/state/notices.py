"""Notices: small values that the state machine emits together with the state, one for each event.

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
    """The base class of all notices; ``tab_id`` is "" if a notice is about the whole task."""

    tab_id: str = ""


class DialogOpened(Notice, frozen=True, kw_only=True):
    """A JavaScript dialog opened and is waiting until it is accepted or dismissed."""

    dialog: PendingDialog


class DialogClosed(Notice, frozen=True, kw_only=True):
    """A JavaScript dialog closed; ``dialog.closed_by`` says who closed it."""

    dialog: ClosedDialog


class PromptOpened(Notice, frozen=True, kw_only=True):
    """A prompt opened whose kind has no separate notice class."""

    prompt: Prompt


class PromptClosed(Notice, frozen=True, kw_only=True):
    """A prompt closed whose kind has no separate notice class."""

    prompt_id: str


class PromptInterrupts(Notice, frozen=True, kw_only=True):
    """The base class of notices about prompts that interrupt waiting calls on their tab."""

    @property
    def prompt(self) -> Prompt:
        raise NotImplementedError


class DownloadProgress(Notice, frozen=True, kw_only=True):
    """A download started, made progress, or ended (``download.status``)."""

    download: Download


class DownloadArrived(Notice, frozen=True, kw_only=True):
    """A finished download's file is in the folder, named by its guid. The driver renames it."""

    download: Download
    folder: str


class Noted(Notice, frozen=True, kw_only=True):
    """A page did something that is not visible in the page, such as printing or requesting a
    permission.
    """

    note: Note


class ConnectionRefused(Notice, frozen=True, kw_only=True):
    """The network policy refused one of the browser's connections."""

    place: str
    """The place, as ``host:port``."""
    why: Why
    """The reason: ``private``, ``metadata``, ``blocked_origin``, ...: see
    ``tabwarden.egress.gate.REASONS``.
    """


class StateInvalidated(Notice, frozen=True, kw_only=True):
    """Earlier results about a tab are no longer valid, so the tab must be read again."""

    reason: str


class NavigationStarted(Notice, frozen=True, kw_only=True):
    """A frame started to navigate to ``url``."""

    frame_id: str
    url: str


class NavigationSettled(Notice, frozen=True, kw_only=True):
    """A frame's navigation ended, either with a loaded document or without a document."""

    frame_id: str
    url: str


class TabOpened(Notice, frozen=True, kw_only=True):
    """A tab was opened, but is not set up yet."""


class PopupOpened(Notice, frozen=True, kw_only=True):
    """A page opened another page; ``TabOpened`` was emitted first."""

    opener_tab_id: str


class TabClosed(Notice, frozen=True, kw_only=True):
    """A tab was closed, by anyone."""

    reason: str


class TabReplaced(Notice, frozen=True, kw_only=True):
    """A hung tab has a new target or a new renderer."""

    target_id: str


class TargetCrashed(Notice, frozen=True, kw_only=True):
    """One of a tab's renderers crashed: the tab's own, or a frame's (``is_oopif``)."""

    reason: str
    is_oopif: bool = False
    session_id: str = ""
    """The session of the crashed frame."""


class SessionReady(Notice, frozen=True, kw_only=True):
    """A session is set up; its frames are known."""

    session_id: str


class SessionDetached(Notice, frozen=True, kw_only=True):
    """A session ended; commands sent in it will never get a reply."""

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
    """The browser can't be reached. ``reconnecting`` is set while the driver is trying to
    reconnect.
    """

    reason: str
    reconnecting: bool = False


class EndpointRegained(Notice, frozen=True, kw_only=True):
    """The connection is restored; tabs that closed in the meantime have been reported."""
