"""What every generated protocol class is built on, and the only code that (de)serialises them.

The generated modules hold types and nothing else. Decoding is forgiving in three ways, because a
browser is rarely the exact version that the bindings were generated from: unknown fields are
ignored, enums in replies are plain strings, and a message which the strict decoder refuses is
tried once more with integral floats accepted as integers and unpaired surrogates repaired.
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
    """An object of the protocol: a named type, or the result of a command."""


class Empty(Record, frozen=True):
    """The result of a command that returns nothing."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The parameters of something that the browser reports unasked."""

    METHOD: ClassVar[str]


class Command(msgspec.Struct, Generic[R], frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The parameters of a request; `R` is the type of its result."""

    METHOD: ClassVar[str]
    RESULT: ClassVar[type[Record]] = Empty


class _LazyModule:
    """Stands for a sibling module until msgspec resolves an annotation that names it."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        module: ModuleType = import_module(f"{__package__}.{self._name}")
        return getattr(module, attribute)

    def __repr__(self) -> str:
        return f"<lazy module {self._name}>"


def lazy_module(name: str) -> Any:
    """A stand-in for `tabwarden.protocol.<name>` which imports it on first attribute access.

    Domains refer to each other in circles, and importing one should not cost all of them.
    """
    return _LazyModule(name)


_ENCODER = msgspec.json.Encoder()
_STRICT: dict[type[Any], msgspec.json.Decoder[Any]] = {}
_LENIENT: dict[type[Any], msgspec.json.Decoder[Any]] = {}

# A whole pair, or (captured) half of one, or any other escape: the last is matched so that the
# scan steps over an escaped backslash instead of mistaking what follows for an escape.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def encode_params(command: Command[Any]) -> bytes:
    """The parameters as a JSON object, without those left unset; `{}` when there are none.

    Half a surrogate pair, which a string of a page's own may hold too, goes as an escape.
    """
    try:
        return _ENCODER.encode(command)
    except UnicodeEncodeError:  # it has no UTF-8
        return json.dumps(msgspec.to_builtins(command)).encode()


def decode_result(command_type: type[Command[R]], raw: bytes | msgspec.Raw) -> R:
    """The reply to a command, as that command's result type.

    Raises `msgspec.DecodeError` when the reply does not have the shape of the result.
    """
    return cast("R", _decode(command_type.RESULT, raw))


def decode_event(event_type: type[E], raw: bytes | msgspec.Raw) -> E:
    """The parameters of an event. Raises `msgspec.DecodeError` when the shape is wrong."""
    return _decode(event_type, raw)


def repair_surrogates(raw: bytes | msgspec.Raw) -> bytes:
    """The same JSON with each unpaired surrogate escape replaced by U+FFFD.

    JavaScript strings may hold half a surrogate pair and the browser sends it on as `\\ud800`,
    which no UTF-8 decoder can represent: without the repair one page's text loses a message.
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
    """The decoder of a type, built on first use: this is when annotations are resolved."""
    decoder = cache.get(type_)
    if decoder is None:
        decoder = cache[type_] = msgspec.json.Decoder(type_, strict=strict)
    return decoder
