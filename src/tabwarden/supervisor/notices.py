"""What the machine tells the world beside the state: one small value for each thing that happened.

Waiting calls race against these, and subscribers receive them in order.
"""

from __future__ import annotations

import msgspec

from tabwarden.egress.gate import Why
from tabwarden.supervisor.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.prompts import AuthChallenge, Download, FileChooser, Note

__all__ = [
    "AuthRequired",
    "AuthSettled",
    "ConnectionRefused",
    "DialogClosed",
    "DialogOpened",
    "DownloadArrived",
    "DownloadProgress",
    "EndpointLost",
    "EndpointRegained",
    "FileChooserClosed",
    "FileChooserOpened",
    "FrameNavigated",
    "LifecycleReached",
    "NavigationSettled",
    "NavigationStarted",
    "Noted",
    "Notice",
    "PopupOpened",
    "SessionDetached",
    "SessionReady",
    "StateInvalidated",
    "TabClosed",
    "TabOpened",
    "TabReplaced",
    "TargetCrashed",
]


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all notices; ``tab_id`` is "" where it concerns the whole task."""

    tab_id: str = ""


class DialogOpened(Notice, frozen=True, kw_only=True):
    """A dialog waits for an answer."""

    dialog: PendingDialog


class DialogClosed(Notice, frozen=True, kw_only=True):
    """A dialog is over."""

    dialog: ClosedDialog


class FileChooserOpened(Notice, frozen=True, kw_only=True):
    """A page asks for files."""

    chooser: FileChooser


class FileChooserClosed(Notice, frozen=True, kw_only=True):
    """A file chooser was answered, or its document is gone."""

    chooser_id: str


class AuthRequired(Notice, frozen=True, kw_only=True):
    """A server wants credentials, and the agent has to give them."""

    challenge: AuthChallenge


class AuthSettled(Notice, frozen=True, kw_only=True):
    """An HTTP authentication is over, however it went."""

    auth_id: str


class DownloadProgress(Notice, frozen=True, kw_only=True):
    """A download began, got further, or ended."""

    download: Download


class DownloadArrived(Notice, frozen=True, kw_only=True):
    """A download is in the folder under its guid; the driver gives it its name."""

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
    """What is known of a tab was built anew: read it again before acting on what was read."""

    reason: str


class NavigationStarted(Notice, frozen=True, kw_only=True):
    """A frame is on its way to another document."""

    frame_id: str
    url: str


class NavigationSettled(Notice, frozen=True, kw_only=True):
    """A frame's navigation is over: its document has loaded, or none came."""

    frame_id: str
    url: str


class TabOpened(Notice, frozen=True, kw_only=True):
    """A tab is there (not set up yet)."""


class PopupOpened(Notice, frozen=True, kw_only=True):
    """A page opened another one; ``TabOpened`` came before."""

    opener_tab_id: str


class TabClosed(Notice, frozen=True, kw_only=True):
    """A tab is gone, whoever closed it."""

    reason: str


class TabReplaced(Notice, frozen=True, kw_only=True):
    """A tab that could not be freed stands on a new target, at its last URL."""

    target_id: str


class TargetCrashed(Notice, frozen=True, kw_only=True):
    """A renderer of the tab is gone: the tab's own, or (``is_oopif``) one of its frames'."""

    reason: str
    is_oopif: bool = False
    session_id: str = ""
    """The frame's."""


class SessionReady(Notice, frozen=True, kw_only=True):
    """A session is set up; its frames are known."""

    session_id: str


class SessionDetached(Notice, frozen=True, kw_only=True):
    """A session is gone; commands that wait on it will never be answered."""

    session_id: str
    reason: str


class FrameNavigated(Notice, frozen=True, kw_only=True):
    """A frame shows another document, or another URL of the same one."""

    frame_id: str
    url: str
    same_document: bool


class LifecycleReached(Notice, frozen=True, kw_only=True):
    """A frame's document reached ``DOMContentLoaded``, ``load``, ``networkIdle``, ..."""

    frame_id: str
    loader_id: str
    name: str


class EndpointLost(Notice, frozen=True, kw_only=True):
    """The browser cannot be reached; ``reconnecting`` while that may change."""

    reason: str
    reconnecting: bool = False


class EndpointRegained(Notice, frozen=True, kw_only=True):
    """The connection is back; tabs that closed meanwhile have been told."""
