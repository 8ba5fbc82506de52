"""The fields of the tool ``browser``. As in OpenClaw, all actions of the tool share one flat list
of fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.control_api.shape import Fields, TargetId, TimeoutMs, form

_Ref = str | int
_Objects = list[dict[str, Any]]
_Scheme = Literal["dark", "light", "no-preference", "none"]


def _optional(kind: Any, words: str, **limits: Any) -> tuple[Any, None]:
    return (Annotated[kind | None, Field(description=words, **limits)], None)


_OF_ACT: Fields = {
    "targetId": (TargetId, None),
    "ref": _optional(_Ref, "A ref from the snapshot: e12 or 12."),
    "selector": _optional(str, "Instead of ref: a CSS selector that matches one visible element."),
    "actions": _optional(_Objects, "For batch: the actions, each with its kind."),
    "stopOnError": _optional(bool, "For batch: stop at the first failure (default)."),
    "doubleClick": _optional(bool, "Click twice."),
    "button": _optional(str, "The mouse button: left, middle or right."),
    "modifiers": _optional(list[str], "The keys to hold down: Alt, Control, Meta, Shift."),
    "x": _optional(float, "CSS pixels from the left."),
    "y": _optional(float, "CSS pixels from the top."),
    "text": _optional(str, "For type: the text to type. For wait: the text that must appear."),
    "submit": _optional(bool, "For type: press Enter afterwards."),
    "slowly": _optional(bool, "For type: type key by key after the existing text."),
    "key": _optional(str, "For press: a key, such as Enter, Escape or Control+A."),
    "delayMs": _optional(_Ref, "For click: how long to hover first, in milliseconds."),
    "startRef": _optional(_Ref, "For drag: the element to drag."),
    "endRef": _optional(_Ref, "For drag: the element to drop on."),
    "values": _optional(list[str], "For select: the options' form values."),
    "fields": _optional(_Objects, 'For fill: [{"ref": "e5", "value": "Ann"}, ...].'),
    "width": _optional(int, "For resize: CSS pixels."),
    "height": _optional(int, "For resize: CSS pixels."),
    "timeMs": _optional(_Ref, "For wait: milliseconds."),
    "url": _optional(str, "For wait: a URL pattern (**/done)."),
    "loadState": _optional(str, "For wait: domcontentloaded, load or networkidle."),
    "textGone": _optional(str, "For wait: the text that must disappear."),
    "fn": _optional(str, "For evaluate: a function or statements. For wait: a condition."),
    "timeoutMs": (TimeoutMs, None),
}
_FIELDS: Fields = {
    "action": (Annotated[str, Field(description="What to do.")], ...),
    "kind": _optional(str, "For act."),
    **_OF_ACT,
    "request": _optional(dict[str, Any], "For act: the kind and its fields in one object."),
    "targetUrl": _optional(
        str, "For open and navigate: the URL. For download: a URL instead of ref."
    ),
    "label": _optional(str, "For open: a name for the tab."),
    "limit": _optional(
        int, "For requests and errors: how many of the latest entries to return.", ge=1
    ),
    "maxChars": _optional(int, "For snapshot and text: maximum length. 0: no limit.", ge=0),
    "interactive": _optional(bool, "For snapshot: only elements with refs."),
    "depth": _optional(int, "For snapshot: maximum number of levels.", ge=1),
    "query": _optional(str, "For snapshot: return only lines that contain all these words."),
    "fullPage": _optional(bool, "For screenshot: the whole page."),
    "labels": _optional(bool, "For screenshot: draw the refs."),
    "element": _optional(str, "For screenshot and upload: a CSS selector."),
    "type": _optional(Literal["png", "jpeg"], "For screenshot: the format."),
    "path": _optional(str, "For pdf and download: a plain file name."),
    "level": _optional(str, "For console: error, warning, info, debug."),
    "filter": _optional(str, "For requests: part of the URL."),
    "clear": _optional(bool, "For errors and console: clear the list after reading."),
    "device": _optional(str, "For emulate: a device, such as iPhone 15."),
    "colorScheme": _optional(_Scheme, "For emulate."),
    "timezoneId": _optional(str, "For emulate: a time zone, such as Europe/Berlin."),
    "locale": _optional(str, "For emulate: a locale, such as de-DE."),
    "paths": _optional(list[str], "For upload: files in the upload folder."),
    "inputRef": _optional(_Ref, "For upload: the file input."),
    "dialogId": _optional(str, "For dialog: the dialog's id, if several are open."),
    "accept": _optional(bool, "For dialog: OK (true) or Cancel (false)."),
    "promptText": _optional(str, "For dialog: the answer to a prompt."),
    "into": _optional(str, "For importprofile: the saved logins to load. Default: imported."),
}
TOOL = "browser"
FORM = form(TOOL, **_FIELDS)
UNUSED = frozenset(
    (
        *("target", "node", "profile", "browser", "systemProfile", "domains", "dashboard"),
        *("mode", "snapshotFormat", "refs", "compact", "frame", "urls"),
    )
)
"""Fields of OpenClaw's tool that have no effect here, because there is only one browser and one
outline format.
"""


def act_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return an act's fields. The fields inside ``request`` override the fields beside it."""
    beside = {name: given[name] for name in ("kind", *_OF_ACT) if given.get(name) is not None}
    return {**beside, **(given.get("request") or {})}
