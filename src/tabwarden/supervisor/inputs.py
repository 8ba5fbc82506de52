"""The machine's inputs: what the driver can tell it, one frozen value each."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tabwarden.egress.gate import NetworkPolicy, Why
from tabwarden.egress.origins import Place
from tabwarden.protocol import page, target
from tabwarden.supervisor.emulation import Emulation
from tabwarden.supervisor.policy import DialogPolicy
from tabwarden.supervisor.prompts import Credentials, DownloadStatus, PermissionRule
from tabwarden.supervisor.turn import Ask

__all__ = [
    "ActivateTab",
    "AnotherTasksTarget",
    "AnswerAuth",
    "AnswerDialog",
    "ClearConsole",
    "CloseBackstage",
    "CloseChooser",
    "Connected",
    "ConnectionFailed",
    "DeclareGone",
    "Disconnected",
    "DownloadStored",
    "DownloadTold",
    "Emulate",
    "EventReceived",
    "ForgetTab",
    "GuardLost",
    "GuardTold",
    "Input",
    "Leaving",
    "LookAgain",
    "LookAtTabs",
    "OpenBackstage",
    "OriginsKnown",
    "PermissionSet",
    "PlaceNamed",
    "Reattached",
    "RecordNetwork",
    "ReplaceTab",
    "Replied",
    "SetPolicy",
    "SetScripts",
    "TabRenewed",
    "TargetSeen",
    "Tick",
    "TitleRead",
]


class Input(msgspec.Struct, frozen=True):
    """Base of all inputs."""


class Connected(Input, frozen=True):
    """The wire is up: take charge of the browser."""

    owned: bool = True
    """Launched by us, over a wire of our own: nobody else answers its dialogs."""
    context: str | None = None
    """The task's own browser context there; None: it has none, and shares."""
    proxied: bool = False
    """Its requests go through an egress proxy of ours."""


class Disconnected(Input, frozen=True):
    """The wire is dead; ``reconnecting`` while the driver tries to get another one."""

    reason: str
    reconnecting: bool = False
    guarded: frozenset[str] = frozenset()
    """Targets whose native dialogs the guard keeps open."""


class GuardLost(Input, frozen=True):
    """The guard's connection is dead too."""


class GuardTold(Input, frozen=True):
    """A dialog opened in a page that the guard stands by on."""

    target_id: str
    event: page.JavascriptDialogOpening


class Reattached(Input, frozen=True):
    """A new wire is up; these targets are there."""

    target_ids: frozenset[str]


class EventReceived(Input, frozen=True):
    """A CDP event, its parameters still JSON."""

    method: str
    session_id: str | None
    params: bytes | msgspec.Raw


class AnotherTasksTarget(Input, frozen=True):
    """``Target.attachedToTarget``, still JSON, of a context that another task supervises."""

    params: bytes | msgspec.Raw


class Replied(Input, frozen=True):
    """The reply to a command that the machine sent with an ``ask``."""

    ask: Ask
    result: bytes | msgspec.Raw | None
    error: str | None = None


class Tick(Input, frozen=True):
    """The time that ``next_deadline`` asked for has come."""


class AnswerDialog(Input, frozen=True):
    """The agent's answer to a dialog."""

    dialog_id: str
    accept: bool
    prompt_text: str | None = None


class AnswerAuth(Input, frozen=True):
    """The agent's answer to an HTTP authentication; None cancels it."""

    auth_id: str
    credentials: Credentials | None


class CloseChooser(Input, frozen=True):
    """A file chooser was answered."""

    chooser_id: str


class DownloadStored(Input, frozen=True):
    """A download has its name in the folder, or could not get it."""

    guid: str
    path: str | None
    reason: str = ""


class DownloadTold(Input, frozen=True, kw_only=True):
    """A download of our own: it began, went on or ended."""

    guid: str
    url: str
    filename: str
    status: DownloadStatus = "in_progress"
    received_bytes: int = 0
    total_bytes: int = 0
    path: str | None = None
    reason: str = ""


class PermissionSet(Input, frozen=True):
    """The browser granted or denied what the agent asked it to."""

    rule: PermissionRule


class ActivateTab(Input, frozen=True):
    """The agent's actions go to this tab from now on, unless they name another."""

    tab_id: str


class ReplaceTab(Input, frozen=True):
    """A tab cannot be freed: put a fresh one in its place."""

    tab_id: str
    url: str = ""
    """Where that one begins; the tab's last URL when empty."""


class SetScripts(Input, frozen=True):
    """A tab's scripts are switched off, or on again."""

    tab_id: str
    on: bool


class ForgetTab(Input, frozen=True):
    """The browser has said that it closes a tab, and takes its time."""

    tab_id: str


class TabRenewed(Input, frozen=True):
    """A tab that hung was brought back in another renderer."""

    tab_id: str


class DeclareGone(Input, frozen=True):
    """A tab can't be brought back."""

    tab_id: str


class Leaving(Input, frozen=True):
    """An action is about to send a tab elsewhere."""

    tab_id: str
    url: str


class TargetSeen(Input, frozen=True):
    """What the browser process says of a target, asked for by an action."""

    info: target.TargetInfo


class TitleRead(Input, frozen=True):
    """A page's title as it stood in the page when an action read it."""

    tab_id: str
    title: str


class LookAtTabs(Input, frozen=True):
    """Pages may have titles that no event has told of."""


class LookAgain(Input, frozen=True):
    """A document should stand in a tab by now, and no event has told of it."""

    tab_id: str


class OpenBackstage(Input, frozen=True):
    """An action needs a page of its own."""

    key: str
    browser_context_id: str | None = None


class CloseBackstage(Input, frozen=True):
    """It needs it no more."""

    key: str


class OriginsKnown(Input, frozen=True):
    """A login was put back at these origins."""

    origins: tuple[str, ...]


class Emulate(Input, frozen=True):
    """What all tabs are to pretend."""

    emulation: Emulation


class RecordNetwork(Input, frozen=True):
    """Somebody wants to know of requests: they are recorded from now on."""


class SetPolicy(Input, frozen=True):
    """The configuration has changed: what opens from now on is treated so."""

    dialog_policy: DialogPolicy
    dialog_timeout_s: float
    credentials: Mapping[str, Credentials]
    network: NetworkPolicy = NetworkPolicy()


class PlaceNamed(Input, frozen=True):
    """The caller names a place: what opens only when it is named is open from now on."""

    place: Place


class ConnectionFailed(Input, frozen=True):
    """The egress proxy made no connection."""

    place: Place
    why: Why | None
    """Why it was refused; None: it was allowed, and failed."""
    error: str
    """What Chromium calls that."""


class ClearConsole(Input, frozen=True):
    """The agent has read the console (of one tab)."""

    tab_id: str
