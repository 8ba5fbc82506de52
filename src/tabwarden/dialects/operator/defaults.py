"""The design's default settings, for everything that the user's configuration doesn't set."""

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
    """Return the configuration with the design's defaults. The design has no action to answer a
    dialog, so dialogs are accepted automatically and reported. Files are uploaded from
    ``./uploads``.
    """
    defaults = {"dialog_policy": "auto_accept", "upload_dir": Path.cwd() / "uploads"}
    unset = {key: value for key, value in defaults.items() if key not in config.model_fields_set}
    return config.model_copy(update=unset)


def way(given: Mapping[str, Any], config: BrowserConfig) -> tuple[dict[str, Any], str]:
    """Return the arguments of ``browser_open`` for the action ``open``, and a note for the agent.

    By default the design shows a window. If there is no display, or the configuration sets
    ``headless``, a window is shown only if the agent asks for it.
    """
    if given.get("attach_to_existing"):
        return {"attach_to_existing": True, "cdp_port": given.get("cdp_port", 9222)}, ""
    if config.endpoint is not None:
        return {}, ""
    arguments: dict[str, Any] = {}
    if "headless" in given:
        arguments["headless"] = given["headless"]
    elif "headless" not in config.model_fields_set and _has_display():
        arguments["headless"] = False
    kind = given.get("browser")
    if kind == "chrome" and not _has_chrome():
        return arguments, "Chrome is not installed here, so this is another Chromium."
    if kind is not None:
        arguments["browser"] = kind
    return arguments, ""


def _has_chrome() -> bool:
    try:
        return bool(candidates(browser="chrome"))
    except LaunchFailed:  # the launch reports the error
        return True


def _has_display() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
