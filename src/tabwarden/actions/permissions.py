"""The permissions that a call needs. ``browser.allow`` or the caller's token grants permissions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.actions.registry import Action
from tabwarden.config import LAUNCH_KEYS, BrowserConfig, Permission
from tabwarden.errors import Denied

LAUNCHING = tuple(
    name
    for name in LAUNCH_KEYS
    if name not in ("channel", "viewport", "device", "ca", "extensions")
)
"""The parameters of ``open`` that choose how a browser is launched."""
_ATTACHING = ("attach_to_existing", "cdp_port")
"""The parameters with which ``open`` attaches to a browser, as ``connect`` does."""


def permissions_of(action: Action, arguments: Mapping[str, Any]) -> set[Permission]:
    """Return the permissions that a call needs. A batch also needs the permissions of its steps.

    Args:
        action: the action to run.
        arguments: the checked arguments.
    """
    name = action.name
    needed = {action.permission}
    if name == "open" and any(arguments.get(parameter) for parameter in _ATTACHING):
        needed.add("attach")
    if name == "cookies" and arguments.get("filename") is not None:
        needed.add("files")
    if name == "wait" and any("script" in one for one in _conditions(arguments)):
        needed.add("scripts")
    if name == "open" and any(arguments.get(parameter) is not None for parameter in LAUNCHING):
        needed.add("launch")
    if name in ("route", "init_script") and arguments.get("path") is not None:
        needed.add("files")
    if name == "open" and arguments.get("restore") is not None:  # like the action ``storage_state``
        needed.add("files")
    if arguments.get("filename") is not None and name != "wait":
        needed.add("files")
    if name == "drop" and arguments.get("filenames"):
        needed.add("files")
    if name == "batch":
        for step in arguments.get("steps", ()):
            needed |= permissions_of(step.action, step.arguments)
    return needed


def _conditions(arguments: Mapping[str, Any]) -> list[set[str]]:
    """Return the parameters of each condition in ``wait``. Their types have not been checked
    yet."""
    return [
        {name for name, value in one.items() if value is not None}
        for one in (arguments, *(arguments.get("any_of") or ()))
        if isinstance(one, Mapping)
    ]


def check_permission(permission: Permission, config: BrowserConfig) -> None:
    """Raise ``Denied`` unless the configuration for the call grants a permission."""
    if permission not in config.allow:
        raise Denied(
            f"This call needs the permission {permission!r}, which you do not have.",
            f"Your permissions: {', '.join(config.allow) or 'none'}. The operator can grant more "
            "(tabwarden token create --allow, or browser.allow).",
            permission=permission,
        )
