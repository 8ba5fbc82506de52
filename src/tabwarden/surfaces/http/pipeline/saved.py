"""Saved: the answer to a call whose result went into a file."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.actions import Performed
from tabwarden.config import BrowserConfig
from tabwarden.control_api import camel_keys, outcome
from tabwarden.page import ActionResult
from tabwarden.results import SavedFile
from tabwarden.surfaces.http.files import route_to


def saved_body(config: BrowserConfig, done: Performed) -> dict[str, Any] | None:
    """Return the answer with the ``file`` and the route that gets it; None if none was saved."""
    value = done.result.value if isinstance(done.result, ActionResult) else None
    if not isinstance(value, SavedFile):
        return None
    file = {**camel_keys(msgspec.to_builtins(value)), "route": route_to(config, value.path)}
    return {**outcome(done), "file": file}
