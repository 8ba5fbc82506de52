"""What that design takes for granted, where the user's configuration says nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabwarden.config import BrowserConfig
from tabwarden.endpoints.discover import candidates
from tabwarden.errors import LaunchFailed

__all__ = ["obeyed", "way"]


def obeyed(config: BrowserConfig) -> BrowserConfig:
    """The configuration with the design's defaults: it has no action that answers a dialog, so
    dialogs are accepted (and told), and files are uploaded from ``./uploads``.
    """
    defaults = {"dialog_policy": "auto_accept", "upload_dir": Path.cwd() / "uploads"}
    unset = {key: value for key, value in defaults.items() if key not in config.model_fields_set}
    return config.model_copy(update=unset)


def way(given: Mapping[str, Any], config: BrowserConfig) -> tuple[dict[str, Any], str]:
    """The arguments of ``browser_open`` for an ``open``, and what the agent should know of it.

    A window is the design's default: where there is no display, or the configuration says what
    it wants, there is none unless it is asked for.
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
        return arguments, "There is no Chrome on this machine: this is another Chromium."
    if kind is not None:
        arguments["browser"] = kind
    return arguments, ""


def _has_chrome() -> bool:
    try:
        return bool(candidates(browser="chrome"))
    except LaunchFailed:  # launching tells what is wrong
        return True


def _has_display() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
