"""Make sure that no parameters of raw CDP commands harm this computer.

Raw CDP could read any file (through ``file:`` pages, file inputs or drags) and write anywhere
(through the download folder). Tabwarden always limits URLs and scripts. It limits file inputs,
drags and downloads only if the browser may run on this computer. ``cdp_allowlist`` lists the
allowed commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ada_url
import msgspec

from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, Disabled
from tabwarden.page.input import files_in
from tabwarden.page.scripts.cdp_allowlist import allowed

_GOES_TO_A_URL = {"Network.loadNetworkResource", "Page.navigate", "Target.createTarget"}
_SCHEMES = {"http:", "https:", "about:", "data:", "blob:", "javascript:"}


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits from the user's configuration."""

    upload_dirs: tuple[Path, ...]
    """The folders with files that pages may receive."""
    allow_file_urls: bool
    allow_scripts: bool
    here: bool
    """Whether the browser may run on this computer, so that it could access the user's files."""


def limits_of(config: BrowserConfig, *, here: bool, upload_dirs: tuple[Path, ...]) -> Limits:
    """Return the limits for raw CDP commands.

    Args:
        upload_dirs: the folders with files that pages may receive.
        here: whether the browser may run on this computer.

    Raises:
        Disabled: raw CDP is disabled.
    """
    if not config.cdp_enabled:
        raise Disabled("The configuration switches raw CDP off (cdp_enabled: false).")
    return Limits(
        upload_dirs=upload_dirs,
        allow_file_urls=config.allow_file_urls,
        allow_scripts=config.evaluate_enabled,
        here=here,
    )


def within(limits: Limits, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Check a command, and return the parameters to send.

    Raises:
        Denied: the command or a parameter is forbidden.
        Disabled: the command would run a script, and scripts are disabled.
        InvalidArgument: Tabwarden does not know the command, or a file does not exist.
    """
    runs_scripts = allowed(method).runs_scripts or "scriptToEvaluateOnLoad" in params
    if runs_scripts and not limits.allow_scripts:
        raise _disabled(method)
    if method in _GOES_TO_A_URL and isinstance(params.get("url"), str):
        _check_url(limits, method, params["url"])
    if not limits.here:
        return params
    if method.endswith(".setDownloadBehavior") and params.get("behavior") != "deny":
        raise _denied(
            method, "it changes the download folder", "Set download_dir in the configuration."
        )
    if method == "DOM.setFileInputFiles":
        return {**params, "files": files_in(limits.upload_dirs, params.get("files") or ())}
    data = params.get("data")
    if method == "Input.dispatchDragEvent" and isinstance(data, dict) and data.get("files"):
        return {**params, "data": {**data, "files": files_in(limits.upload_dirs, data["files"])}}
    return params


def _check_url(limits: Limits, method: str, url: str) -> None:
    if not url:
        return
    try:
        scheme = ada_url.URL(url).protocol
    except ValueError:
        raise _denied(method, "its url is invalid", "Give a full URL.") from None
    if scheme == "javascript:" and not limits.allow_scripts:
        raise _disabled(method)
    if scheme not in _SCHEMES and not (scheme == "file:" and limits.allow_file_urls):
        hint = "Use http(s). For file:, set allow_file_urls in the configuration."
        raise _denied(method, f"{scheme} URLs are not allowed", hint)


def _denied(method: str, why: str, hint: str) -> Denied:
    return Denied(f"{method} is not allowed: {why}.", hint, method=method, field="params")


def _disabled(method: str) -> Disabled:
    return Disabled(
        f"{method} would run a script, but the configuration forbids scripts "
        "(evaluate_enabled: false).",
        "Use snapshot, click and type.",
        method=method,
    )
