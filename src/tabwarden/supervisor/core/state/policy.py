"""The policy: the settings of the state machine, including the way in which dialogs wait."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from tabwarden.egress.gate import NetworkPolicy
from tabwarden.supervisor.core.state.emulation import Emulation
from tabwarden.supervisor.core.state.prompts import Credentials, PermissionRule
from tabwarden.supervisor.core.state.values import NOTHING


class InitScript(msgspec.Struct, frozen=True, kw_only=True):
    """A caller's script, which runs in all of the task's documents before the page's own
    scripts.
    """

    source: str
    name: str = ""
    """The path of the script's file; "" for a script without a file."""


class DialogPolicy(StrEnum):
    MUST_RESPOND = "must_respond"
    AUTO_DISMISS = "auto_dismiss"
    AUTO_ACCEPT = "auto_accept"
    OTHERS_ANSWER = "others_answer"
    """The policy if another client of the browser handles the dialogs. Tabwarden handles a dialog
    only if the caller requests it.
    """


class BridgeMode(StrEnum):
    """How dialogs wait."""

    AUTO = "auto"
    """Use the debugger if that costs no time or is necessary; otherwise a request; otherwise a
    native dialog.
    """
    DEBUGGER = "debugger"
    """Use the debugger from the first script on; otherwise a request; otherwise a native dialog."""
    XHR = "xhr"
    """Use a request; otherwise a native dialog."""
    NATIVE = "native"


class Bridge(msgspec.Struct, frozen=True, kw_only=True):
    """The script that makes dialogs wait so that we can answer them (``bridge.py``, ``xhr.py``)."""

    mode: BridgeMode
    template: str
    """The script's source, with placeholders."""
    name: str
    """The script's source URL, which is random, so that no page can give a script the same name."""
    source: str
    url: str
    """The URL of the bridge's requests, on a nonexistent host."""
    key: str
    """A secret that proves that a request is from the bridge, and that a response is from us."""
    word: str
    """The name of the cookie that tells a page how to continue if nothing else reaches the page."""
    family: bytes
    """The shared secret from which the other values derive (``shared_key.py``)."""


class NotesScript(msgspec.Struct, frozen=True):
    """A script that reports notes about pages (``page_notes.py``)."""

    binding: str
    """The name of the function that the script calls; no page can guess it."""
    source: str


class PromptsScript(NotesScript, frozen=True):
    """The script that announces prompts and keeps pages waiting for the answers
    (``prompts/in_page.py``).
    """

    event: str
    """The name of the event that brings an answer; no page can guess it."""
    is_ours: bool
    """Whether only the agent uses the browser."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    dialog_policy: DialogPolicy = DialogPolicy.MUST_RESPOND
    dialog_timeout_s: float = 300.0
    bridge: Bridge | None = None
    """The bridge script; None if dialogs open natively."""
    notes: NotesScript | None = None
    """The notes script; None if pages report no notes."""
    programs: NotesScript | None = None
    """The script that prevents the agent's pages from opening other programs; None if pages may
    open them.
    """
    prompts: PromptsScript | None = None
    """The script that keeps prompts waiting in the agent's pages; None for no such prompts."""
    external_schemes: frozenset[str] = frozenset()
    """The schemes of other programs that pages may open."""
    credentials: Mapping[str, Credentials] = NOTHING
    """The configured credentials for HTTP authentication, keyed by origin."""
    permissions: tuple[PermissionRule, ...] = ()
    download_dir: str | None = None
    """The folder for downloads; None for the browser's own folder."""
    record_network: bool = False
    """Whether to record requests from the start."""
    network_secrets: bool = False
    """Whether the network log keeps headers that contain secrets."""
    init_scripts: tuple[InitScript, ...] = ()
    """The configured scripts for every document."""
    emulation: Emulation = Emulation()
    """The emulation settings at startup and after a reset."""
    page_tools: bool = True
    """Whether the agent may use the tools that pages offer (WebMCP)."""
    network: NetworkPolicy = NetworkPolicy()
    """The network policy, which restricts where requests may be sent."""
    windows_may_hang: bool = False
    """Whether a page hangs if the application refuses its window (``applications.py``)."""

    def on(self, product: str) -> Policy:
        """Return this policy for a browser; ``product`` is its name and version."""
        return msgspec.structs.replace(self, emulation=self.emulation.on(product))

    def with_limits(self, *, native_dialogs: bool, windows: bool) -> Policy:
        """Return this policy for a browser with these capabilities. If the browser's own dialogs
        block it, dialogs wait in the debugger in all tabs, unless the user chose another way.
        """
        bridge = self.bridge
        if bridge is not None and bridge.mode is BridgeMode.AUTO and not native_dialogs:
            bridge = msgspec.structs.replace(bridge, mode=BridgeMode.DEBUGGER)
        return msgspec.structs.replace(self, bridge=bridge, windows_may_hang=not windows)

    @property
    def answers_dialogs(self) -> bool:
        """Whether every dialog is accepted or dismissed automatically as soon as it opens."""
        return self.dialog_policy in (DialogPolicy.AUTO_DISMISS, DialogPolicy.AUTO_ACCEPT)

    @property
    def others_answer(self) -> bool:
        """Whether another client handles the dialogs."""
        return self.dialog_policy is DialogPolicy.OTHERS_ANSWER
