"""Events as JSON. Dialogs, downloads etc. look the same as in answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabwarden.control_api import camel_keys
from tabwarden.events import EVENT_TYPES, Notice
from tabwarden.page.task import dialog_json, download_json, note_json
from tabwarden.supervisor.core.prompts import kind_of
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.surfaces.http.streams.feed import (
    BrowserClosed,
    BrowserOpened,
    ControlChanged,
    HandoffChanged,
)

_SHOWN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "dialog": dialog_json,
    "download": download_json,
    "note": note_json,
}
"""How to convert an event's content to JSON."""


def name_of(kind: type[Notice]) -> str:
    """Convert ``DialogOpened`` to ``dialogOpened``."""
    return kind.__name__[0].lower() + kind.__name__[1:]


_KINDS: tuple[type[Notice], ...] = (
    BrowserOpened,
    BrowserClosed,
    *EVENT_TYPES,
    ControlChanged,
    HandoffChanged,
)
NAMES: Mapping[str, type[Notice]] = {name_of(kind): kind for kind in _KINDS}
"""Every event, by its name in the stream."""


def event_json(event: Notice) -> dict[str, Any]:
    """Return ``{"type", "tabId", ...}``. ``tabId`` is null if the event concerns the whole task."""
    told: dict[str, Any] = {"type": name_of(type(event)), "tab_id": event.tab_id or None}
    for field in event.__struct_fields__:
        if field != "tab_id":
            value = getattr(event, field)
            show = kind_of(value).json if isinstance(value, Prompt) else _SHOWN.get(field)
            told[field] = (
                show(value) if show is not None else msgspec.to_builtins(value, enc_hook=str)
            )
    shown: dict[str, Any] = camel_keys(told)
    return shown
