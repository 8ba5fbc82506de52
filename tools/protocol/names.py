"""Converts the protocol's names to Python names, and back with msgspec's `rename`."""

from __future__ import annotations

import keyword
import re

import msgspec

__all__ = ["class_name", "field_name", "rename_of", "snake"]

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(name: str) -> str:
    """`backendDOMNodeId` as `backend_dom_node_id`, `DOMSnapshot` as `dom_snapshot`."""
    return _BOUNDARY.sub("_", name).lower()


def field_name(name: str) -> str:
    """The attribute that holds a protocol field; a keyword gets a trailing underscore."""
    python = snake(name)
    return f"{python}_" if keyword.iskeyword(python) else python


def class_name(name: str) -> str:
    """`frameNavigated` as `FrameNavigated`."""
    return name[0].upper() + name[1:]


def rename_of(wire_names: list[str]) -> str | dict[str, str] | None:
    """What `rename=` must say for a struct to have these names on the wire.

    None when nothing differs, "camel" when msgspec's own rule gives exactly these names, and
    otherwise the fields that differ.
    """
    fields = [field_name(name) for name in wire_names]
    if fields == wire_names:
        return None
    probe = msgspec.defstruct("Probe", [(field, object) for field in fields], rename="camel")
    if list(probe.__struct_encode_fields__) == wire_names:
        return "camel"
    pairs = zip(fields, wire_names, strict=True)
    return {field: wire for field, wire in pairs if field != wire}
