"""Off limits: what raw CDP may not do to this machine, as no other action may.

It could read any file (``file:`` pages, files for an input, or dragged), write anywhere (where
downloads go), install extensions, and hand itself to pages, unwatched. The last is refused
everywhere; files only where the browser may run on this machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ada_url
import msgspec

from tabwarden.errors import Denied
from tabwarden.page.upload import files_in

__all__ = ["Limits", "within"]

_GOES_TO_A_URL = {
    "Fetch.continueRequest",
    "Network.loadNetworkResource",
    "Page.navigate",
    "Target.createTarget",
}
_SCHEMES = {"http:", "https:", "about:", "data:", "blob:", "javascript:"}
_UNWATCHED = {
    "Target.exposeDevToolsProtocol": "it gives pages CDP",
    "Target.sendMessageToTarget": "it carries commands that nobody sees",
}
_INSTALLS = ("Extensions", "PWA")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the user allows."""

    upload_dir: Path
    allow_file_urls: bool
    here: bool
    """The browser may run on this machine, so that its files are ours."""


def within(limits: Limits, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The parameters that a command may be sent with.

    Raises:
        Denied: it may not be sent.
        InvalidArgument: a file is not there.
    """
    domain = method.partition(".")[0]
    if method in _UNWATCHED:
        raise _denied(method, _UNWATCHED[method], "Send the command itself.")
    if domain in _INSTALLS:
        raise _denied(method, "it installs programs", "Leave it to the browser's user.")
    if method in _GOES_TO_A_URL and isinstance(params.get("url"), str):
        _check_url(limits, method, params["url"])
    if not limits.here:
        return params
    if method.endswith(".setDownloadBehavior") and params.get("behavior") != "deny":
        raise _denied(method, "it moves downloads", "The configuration's download_dir says where.")
    if method == "DOM.setFileInputFiles":
        return {**params, "files": files_in(limits.upload_dir, params.get("files") or ())}
    data = params.get("data")
    if method == "Input.dispatchDragEvent" and isinstance(data, dict) and data.get("files"):
        return {**params, "data": {**data, "files": files_in(limits.upload_dir, data["files"])}}
    return params


def _check_url(limits: Limits, method: str, url: str) -> None:
    if not url:
        return
    try:
        scheme = ada_url.URL(url).protocol
    except ValueError:
        raise _denied(method, "its url is none", "Give a full URL.") from None
    if scheme not in _SCHEMES and not (scheme == "file:" and limits.allow_file_urls):
        hint = "Use http(s); file: needs allow_file_urls in the configuration."
        raise _denied(method, f"{scheme} URLs may not be opened", hint)


def _denied(method: str, why: str, hint: str) -> Denied:
    return Denied(f"{method} is off limits: {why}.", hint, method=method, field="params")
