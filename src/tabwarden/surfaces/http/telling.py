"""Telling: events as JSON, in the shapes in which answers have dialogs, downloads and so on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabwarden.events import EVENT_TYPES, Notice
from tabwarden.page.result import auth_json, chooser_json, dialog_json, download_json, note_json
from tabwarden.surfaces.http.answers import camel_keys
from tabwarden.surfaces.http.feed import BrowserClosed, BrowserOpened

__all__ = ["NAMES", "event_json", "name_of"]

_SHOWN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "dialog": dialog_json,
    "chooser": chooser_json,
    "challenge": auth_json,
    "download": download_json,
    "note": note_json,
}
"""How what an event carries is shown."""


def name_of(kind: type[Notice]) -> str:
    """``DialogOpened`` as ``dialogOpened``."""
    return kind.__name__[0].lower() + kind.__name__[1:]


_KINDS: tuple[type[Notice], ...] = (BrowserOpened, BrowserClosed, *EVENT_TYPES)
NAMES: Mapping[str, type[Notice]] = {name_of(kind): kind for kind in _KINDS}
"""Every event, by its name in the stream."""


def event_json(event: Notice) -> dict[str, Any]:
    """An event: ``{"type", "tabId", ...}``; ``tabId`` is null where it concerns the whole task."""
    told: dict[str, Any] = {"type": name_of(type(event)), "tab_id": event.tab_id or None}
    for field in event.__struct_fields__:
        if field != "tab_id":
            value = getattr(event, field)
            show = _SHOWN.get(field)
            told[field] = show(value) if show is not None else msgspec.to_builtins(value)
    shown: dict[str, Any] = camel_keys(told)
    return shown
