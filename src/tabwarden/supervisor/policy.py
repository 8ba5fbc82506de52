"""The policy: what the machine obeys, and how it makes dialogs wait."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from tabwarden.egress.gate import NetworkPolicy
from tabwarden.supervisor.prompts import Credentials, PermissionRule
from tabwarden.supervisor.values import NOTHING

__all__ = ["Bridge", "BridgeMode", "DialogPolicy", "Policy"]


class DialogPolicy(StrEnum):
    """What happens to a dialog that opens."""

    MUST_RESPOND = "must_respond"
    AUTO_DISMISS = "auto_dismiss"
    AUTO_ACCEPT = "auto_accept"


class BridgeMode(StrEnum):
    """How dialogs wait."""

    AUTO = "auto"
    """Debugger where it costs nothing or is needed, else a request, else natively."""
    DEBUGGER = "debugger"
    """The debugger from the first script on; then a request, then natively."""
    XHR = "xhr"
    """A request, then natively."""
    NATIVE = "native"


class Bridge(msgspec.Struct, frozen=True, kw_only=True):
    """The script that makes dialogs wait where we can answer them (``bridge.py``, ``xhr.py``)."""

    mode: BridgeMode
    name: str
    """Its source URL: random, so that no page can take it for its own script."""
    source: str
    sha256: str
    url: str
    """Where its requests go: a host that does not exist."""
    key: str
    """What tells its requests, and our answers, from a page's."""
    word: str
    """The name of the cookie in which we say a word to a page that nothing else reaches."""
    family: bytes
    """The secret that name, address, key and word were made with (``family.py``)."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine obeys; set once a task."""

    dialog_policy: DialogPolicy = DialogPolicy.MUST_RESPOND
    dialog_timeout_s: float = 300.0
    bridge: Bridge | None = None
    """None: dialogs are native."""
    binding: str = ""
    """What pages tell notes through; "": they tell none."""
    credentials: Mapping[str, Credentials] = NOTHING
    """By origin: what HTTP authentication is answered with."""
    permissions: tuple[PermissionRule, ...] = ()
    download_dir: str | None = None
    """Where downloads go; None: where the browser puts them."""
    record_network: bool = False
    """Record requests from the first on."""
    network: NetworkPolicy = NetworkPolicy()
    """Where requests may go."""

    @property
    def answers_dialogs(self) -> bool:
        """Whether a dialog is answered as it opens, and nobody need wait for it."""
        return self.dialog_policy is not DialogPolicy.MUST_RESPOND
