"""Operator-Use's default settings, which apply to all keys that the user's configuration doesn't
set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabwarden.config import BrowserConfig
from tabwarden.endpoints.finding import candidates
from tabwarden.errors import LaunchFailed


def obeyed(config: BrowserConfig) -> BrowserConfig:
    """Return the configuration with Operator-Use's defaults.

    Operator-Use has no action for dialogs, so Tabwarden accepts and reports dialogs automatically.
    Uploaded files come from ``./uploads``.
    """
    defaults = {"dialog_policy": "auto_accept", "upload_dir": Path.cwd() / "uploads"}
    unset = {key: value for key, value in defaults.items() if key not in config.model_fields_set}
    return config.model_copy(update=unset)


def way(fields: Mapping[str, Any], config: BrowserConfig) -> tuple[dict[str, Any], str]:
    """Return the arguments of ``browser_open`` for the action ``open``, and a note for the agent.

    Like Operator-Use, show a window by default. If the system has no display, or the configuration
    sets ``headless``, show a window only if the agent requests it.
    """
    if fields.get("attach_to_existing"):
        return {"attach_to_existing": True, "cdp_port": fields.get("cdp_port", 9222)}, ""
    if config.endpoint is not None:
        return {}, ""
    arguments: dict[str, Any] = {}
    if "headless" in fields:
        arguments["headless"] = fields["headless"]
    elif "headless" not in config.model_fields_set and _has_display():
        arguments["headless"] = False
    kind = fields.get("browser")
    if kind == "chrome" and not _has_chrome():
        return arguments, "Chrome is not installed here, so this is a different Chromium browser."
    if kind is not None:
        arguments["browser"] = kind
    return arguments, ""


def _has_chrome() -> bool:
    try:
        return bool(candidates(browser="chrome"))
    except LaunchFailed:  # the launch will report the error
        return True


def _has_display() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
