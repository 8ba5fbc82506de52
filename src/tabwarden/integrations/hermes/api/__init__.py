"""Hermes Agent's supervisor API, implemented with Tabwarden's supervisor.

``SUPERVISOR_REGISTRY`` and ``CDPSupervisor`` have the names, parameters and results of
``tools.browser_supervisor`` in Hermes Agent. ``browser_dialog`` and ``browser_cdp`` are Hermes' two
tools on top of that API. docs/hermes.md compares each part.
"""

from tabwarden.integrations.hermes.api.browser_cdp_tool import browser_cdp
from tabwarden.integrations.hermes.api.browser_dialog_tool import browser_dialog
from tabwarden.integrations.hermes.api.registry import SUPERVISOR_REGISTRY, SupervisorRegistry
from tabwarden.integrations.hermes.api.snapshot import (
    DialogRecord,
    PendingDialog,
    SupervisorSnapshot,
)
from tabwarden.integrations.hermes.api.supervisor import (
    DEFAULT_DIALOG_POLICY,
    DEFAULT_DIALOG_TIMEOUT_S,
    DIALOG_POLICY_AUTO_ACCEPT,
    DIALOG_POLICY_AUTO_DISMISS,
    DIALOG_POLICY_MUST_RESPOND,
    CDPSupervisor,
)

__all__ = [
    "DEFAULT_DIALOG_POLICY",
    "DEFAULT_DIALOG_TIMEOUT_S",
    "DIALOG_POLICY_AUTO_ACCEPT",
    "DIALOG_POLICY_AUTO_DISMISS",
    "DIALOG_POLICY_MUST_RESPOND",
    "SUPERVISOR_REGISTRY",
    "CDPSupervisor",
    "DialogRecord",
    "PendingDialog",
    "SupervisorRegistry",
    "SupervisorSnapshot",
    "browser_cdp",
    "browser_dialog",
]
