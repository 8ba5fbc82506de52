"""The inputs of the state machine: one frozen class for each kind of report from the driver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tabwarden.egress.gate import NetworkPolicy, Why
from tabwarden.egress.origins import Place
from tabwarden.files.download_folder import StoredFile
from tabwarden.protocol import page, target
from tabwarden.replacement import Replacement
from tabwarden.supervisor.core.state.dialog_values import ClosedBy
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.emulation import Emulation
from tabwarden.supervisor.core.state.passkeys import Passkey
from tabwarden.supervisor.core.state.policy import DialogPolicy, InitScript
from tabwarden.supervisor.core.state.prompts import Credentials, PermissionRule
from tabwarden.supervisor.core.state.routes import Route
from tabwarden.supervisor.core.state.transition import Ask


class Input(msgspec.Struct, frozen=True):
    """The base class of all inputs."""


class Connected(Input, frozen=True):
    """The connection is open: attach to the browser."""

    owned: bool = True
    """Whether we launched the browser, so that no other client handles its dialogs."""
    context: str | None = None
    """The task's own browser context; None if the task shares the default context."""
    proxied: bool = False
    """Whether the task's requests go through our egress proxy."""
    own_window: bool = False
    """Whether only the tabs that the task opens belong to the task."""
    shared: bool = False
    """Whether a person or another client may use the task's tabs."""
    joined: bool = False
    """Whether ``context`` belongs to another client, and has that client's tabs."""
    download_dir: str | None = None
    """The folder for downloads on the browser's machine, if that is another machine."""
    replacement: Replacement | None = None
    """Set if this browser replaces the previous browser. The agent gets new tabs and must be
    notified.
    """


class Disconnected(Input, frozen=True):
    """The connection is lost. ``reconnecting`` is set while the driver is trying to reconnect."""

    reason: str
    reconnecting: bool = False
    guarded: frozenset[str] = frozenset()
    """Targets whose native dialogs the guard keeps open."""


class GuardLost(Input, frozen=True):
    """The guard's connection is lost."""


class GuardTold(Input, frozen=True):
    """A dialog opened in a page that the guard watches."""

    target_id: str
    event: page.JavascriptDialogOpening


class Reattached(Input, frozen=True):
    """A new connection is open, and the browser has these targets."""

    target_ids: frozenset[str]


class ReplacementTold(Input, frozen=True):
    """The agent was notified that the browser was replaced."""


class EventReceived(Input, frozen=True):
    """A CDP event, with its parameters still encoded as JSON."""

    method: str
    session_id: str | None
    params: bytes | msgspec.Raw


class AnotherTasksTarget(Input, frozen=True):
    """``Target.attachedToTarget`` for another task's context, with its parameters still encoded as
    JSON.
    """

    params: bytes | msgspec.Raw


class Replied(Input, frozen=True):
    """The reply to a command that the state machine sent with an ``ask``."""

    ask: Ask
    result: bytes | msgspec.Raw | None
    error: str | None = None


class Tick(Input, frozen=True):
    """The time that ``next_deadline`` returned has been reached."""


class AnswerDialog(Input, frozen=True):
    dialog_id: str
    accept: bool
    prompt_text: str | None = None
    by: ClosedBy = "agent"


class AnswerPrompt(Input, frozen=True):
    """The agent's answer to a prompt, with the type that the prompt's kind expects; None cancels
    the prompt.
    """

    prompt_id: str
    answer: Any = None


class DownloadStored(Input, frozen=True):
    """The driver renamed the file of a finished download, or failed to rename it."""

    guid: str
    file: StoredFile | None
    reason: str = ""


class DownloadTold(Input, frozen=True):
    """A download that the caller started has started, progressed or ended, or its file was
    renamed.
    """

    download: Download


class PermissionSet(Input, frozen=True):
    """The browser applied a permission that the agent set."""

    rule: PermissionRule


class ActivateTab(Input, frozen=True):
    """Make this tab the active tab, which actions use by default."""

    tab_id: str


class TabCreated(Input, frozen=True):
    """An action has opened a tab for the task."""

    target_id: str


class AgentOpened(Input, frozen=True):
    """The agent opened this tab."""

    tab_id: str


class AgentActed(Input, frozen=True):
    """The agent is about to act on this tab."""

    tab_id: str


class ReplaceTab(Input, frozen=True):
    """Replace a tab that can't be unblocked."""

    tab_id: str
    url: str = ""
    """The new tab's URL; the old tab's last URL if empty."""


class SetScripts(Input, frozen=True):
    """Turn a tab's scripts off, or on again."""

    tab_id: str
    on: bool


class ForgetTab(Input, frozen=True):
    """The browser has accepted a request to close a tab, but has not closed it yet."""

    tab_id: str


class TabRenewed(Input, frozen=True):
    """A hung tab was recovered in another renderer."""

    tab_id: str


class DeclareGone(Input, frozen=True):
    """A tab can't be recovered."""

    tab_id: str


class Leaving(Input, frozen=True):
    """An action is about to navigate a tab."""

    tab_id: str
    url: str


class SetLeaving(Input, frozen=True):
    """A call of the agent begins or ends to navigate or close a tab."""

    tab_id: str
    on: bool


class NavigationRefused(Input, frozen=True):
    """Tabwarden refused to navigate a tab to a URL that the agent gave."""

    tab_id: str
    url: str
    reason: Literal["policy", "unsupported"]


class TargetSeen(Input, frozen=True):
    """The browser process's reply to an action's request for information about a target."""

    info: target.TargetInfo


class TitleRead(Input, frozen=True):
    """A page's title, which an action read in the page."""

    tab_id: str
    title: str


class LookAtTabs(Input, frozen=True):
    """Pages may have new titles that no event reported."""


class LookAgain(Input, frozen=True):
    """A tab should show a document by now, but no event has reported one."""

    tab_id: str


class UsedWhileArriving(Input, frozen=True):
    """A tab's document never finishes loading, so calls no longer wait for it."""

    tab_id: str
    loader_id: str


class OpenBackstage(Input, frozen=True):
    """An action needs a helper page."""

    key: str
    browser_context_id: str | None = None


class CloseBackstage(Input, frozen=True):
    """The action no longer needs its helper page."""

    key: str


class OriginsKnown(Input, frozen=True):
    """A saved login state was restored at these origins."""

    origins: tuple[str, ...]


class PasskeysKnown(Input, frozen=True):
    """The task gets these passkeys, from a saved state."""

    passkeys: tuple[Passkey, ...]


class Emulate(Input, frozen=True):
    """Apply these settings in all tabs."""

    emulation: Emulation


class AddInitScript(Input, frozen=True):
    """Run this script in every document from now on."""

    script: InitScript


class RemoveInitScript(Input, frozen=True):
    """Stop running this script in new documents."""

    script_id: str


class AddRoute(Input, frozen=True):
    """Apply a route to all requests from now on."""

    route: Route


class RemoveRoutes(Input, frozen=True):
    """Remove routes. Requests that they delay continue immediately."""

    numbers: frozenset[int]


class RecordNetwork(Input, frozen=True):
    """Record requests from now on."""


class SetPolicy(Input, frozen=True):
    """The configuration has changed: use the new policy from now on."""

    dialog_policy: DialogPolicy
    dialog_timeout_s: float
    credentials: Mapping[str, Credentials]
    network: NetworkPolicy = NetworkPolicy()
    page_tools: bool = True


class PlaceNamed(Input, frozen=True):
    """The caller named a place explicitly. If the policy allows named places, it now allows this
    place.
    """

    place: Place


class ConnectionFailed(Input, frozen=True):
    """The egress proxy refused a connection or failed to connect."""

    place: Place
    why: Why | None
    """Why the proxy refused the connection; None if the proxy allowed the connection."""
    error: str
    """Chromium's error name."""


class ClearConsole(Input, frozen=True):
    """The agent has read a tab's console: clear the console."""

    tab_id: str
