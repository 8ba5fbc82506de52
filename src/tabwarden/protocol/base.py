"""The base classes of all generated protocol classes, and the only code that encodes and decodes
them.

The generated modules contain only types. A browser rarely has the exact version for which the
bindings were generated, so decoding is lenient: unknown fields are ignored, enums in replies are
plain strings, and a message that the strict decoder rejects is decoded again with integral floats
accepted as integers and lone surrogates replaced.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

import msgspec

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "Command",
    "Empty",
    "Event",
    "Record",
    "decode_event",
    "decode_result",
    "encode_params",
    "lazy_module",
    "repair_surrogates",
]

R = TypeVar("R")
E = TypeVar("E", bound="Event")
T = TypeVar("T")


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A protocol object: a named type, or the result of a command."""


class Empty(Record, frozen=True):
    """The result of a command that returns nothing."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An event's parameters."""

    METHOD: ClassVar[str]


class Command(msgspec.Struct, Generic[R], frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A command's parameters; `R` is the type of its result."""

    METHOD: ClassVar[str]
    RESULT: ClassVar[type[Record]] = Empty


class _LazyModule:
    """A placeholder for a sibling module until msgspec resolves an annotation that refers to it."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        module: ModuleType = import_module(f"{__package__}.{self._name}")
        return getattr(module, attribute)

    def __repr__(self) -> str:
        return f"<lazy module {self._name}>"


def lazy_module(name: str) -> Any:
    """Return a placeholder for `tabwarden.protocol.<name>`, which imports the module on first
    access.

    Domains refer to each other in cycles, and importing one domain should not import all of them.
    """
    return _LazyModule(name)


_ENCODER = msgspec.json.Encoder()
_STRICT: dict[type[Any], msgspec.json.Decoder[Any]] = {}
_LENIENT: dict[type[Any], msgspec.json.Decoder[Any]] = {}

# Matches a surrogate pair, a lone surrogate (captured), or any other escape. The last alternative
# consumes an escaped backslash, so that the text after it is not mistaken for an escape.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def encode_params(command: Command[Any]) -> bytes:
    """Encode a command's parameters as a JSON object without unset parameters.

    A lone surrogate, which a string from a page may contain, is encoded as an escape.
    """
    try:
        return _ENCODER.encode(command)
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 encoding
        return json.dumps(msgspec.to_builtins(command)).encode()


def decode_result(command_type: type[Command[R]], raw: bytes | msgspec.Raw) -> R:
    """Decode the reply to a command as the command's result type.

    Raises `msgspec.DecodeError` if the reply does not match the type.
    """
    return cast("R", _decode(command_type.RESULT, raw))


def decode_event(event_type: type[E], raw: bytes | msgspec.Raw) -> E:
    """Decode an event's parameters. Raises `msgspec.DecodeError` if they do not match the type."""
    return _decode(event_type, raw)


def repair_surrogates(raw: bytes | msgspec.Raw) -> bytes:
    """Return the JSON with each escape of a lone surrogate replaced by U+FFFD.

    JavaScript strings may contain lone surrogates, which the browser sends as `\\ud800` and UTF-8
    can't represent. Without this repair, one string in a page could make a message unreadable.
    """
    return _ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], bytes(raw))


def _decode(type_: type[T], raw: bytes | msgspec.Raw) -> T:
    try:
        return _decoder(_STRICT, type_, strict=True).decode(raw)
    except msgspec.DecodeError as refused:
        try:
            return _decoder(_LENIENT, type_, strict=False).decode(repair_surrogates(raw))
        except msgspec.DecodeError:
            raise refused from None


def _decoder(
    cache: dict[type[Any], msgspec.json.Decoder[Any]], type_: type[T], *, strict: bool
) -> msgspec.json.Decoder[T]:
    """Return a type's decoder; create it on first use, because this resolves the type's
    annotations.
    """
    decoder = cache.get(type_)
    if decoder is None:
        decoder = cache[type_] = msgspec.json.Decoder(type_, strict=strict)
    return decoder
