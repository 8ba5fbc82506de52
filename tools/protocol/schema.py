"""The protocol description as typed objects.

Unknown keys are refused, because the generator would otherwise silently ignore new features of the
description.
"""

from __future__ import annotations

import msgspec

__all__ = ["CommandDef", "Domain", "EventDef", "Items", "Property", "TypeDef", "parse"]


class _Described(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    description: str = ""
    experimental: bool = False
    deprecated: bool = False


class Items(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The elements of an array: a primitive type or a reference."""

    type: str | None = None
    ref: str | None = msgspec.field(name="$ref", default=None)


class Property(_Described, frozen=True, kw_only=True):
    """A parameter, a returned value or a member of an object type."""

    name: str
    type: str | None = None
    ref: str | None = msgspec.field(name="$ref", default=None)
    items: Items | None = None
    enum: list[str] = []
    optional: bool = False


class TypeDef(_Described, frozen=True, kw_only=True):
    """A named type: an object with properties, or another name for a primitive or an array."""

    id: str
    type: str
    properties: list[Property] = []
    items: Items | None = None
    enum: list[str] = []


class CommandDef(_Described, frozen=True, kw_only=True):
    """A request that a client may send."""

    name: str
    parameters: list[Property] = []
    returns: list[Property] = []
    redirect: str | None = None


class EventDef(_Described, frozen=True, kw_only=True):
    """A message that the browser sends without a request."""

    name: str
    parameters: list[Property] = []


class Domain(_Described, frozen=True, kw_only=True):
    """A group of commands, events and types: one generated module."""

    domain: str
    dependencies: list[str] = []
    types: list[TypeDef] = []
    commands: list[CommandDef] = []
    events: list[EventDef] = []


class _Version(msgspec.Struct, frozen=True):
    major: str
    minor: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: _Version
    domains: list[Domain]


def parse(files: list[bytes]) -> list[Domain]:
    """Return the domains in all files by name."""
    decoder = msgspec.json.Decoder(_File)
    domains = [domain for content in files for domain in decoder.decode(content).domains]
    return sorted(domains, key=lambda domain: domain.domain)
