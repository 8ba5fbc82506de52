"""Parse the condition of a wait from the caller's arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import one_of
from tabwarden.page.navigation.element_state import State

LoadState = Literal["domcontentloaded", "load", "networkidle"]
Kind = Literal[
    "time_s", "text", "text_gone", "selector", "url", "load_state", "download", "script", "ref",
    "any_of",
]  # fmt: skip
_KINDS: tuple[Kind, ...] = get_args(Kind)
_MOST = 20
_DOWNLOAD_ID = re.compile(r"dl-\d{1,9}")
_ADDS: Mapping[str, tuple[Kind, ...]] = {
    "filename": ("download",),
    "state": ("ref", "selector"),
    "has_text": ("ref",),
    "frame_id": ("script",),
}
"""Maps each optional argument to the kinds of conditions that accept it."""
_NAMES = {"url": "a URL like", "load_state": "the load state", "download": "a download"}
_OF_SELECTOR = ("visible", "hidden", "gone")


class Condition(NamedTuple):
    kind: Kind
    what: Any
    """The argument's value; for ``any_of``, the list of conditions."""
    filename: str | None = None
    """The new file name for a download."""
    state: State | None = None
    """The state of an element to wait for."""
    has_text: str | None = None
    """The text in an element to wait for."""
    frame_id: str | None = None
    """The frame that runs the script; None for the main frame."""

    def each(self) -> Iterator[Condition]:
        """Return the conditions in ``any_of``, or this condition."""
        yield from self.what if self.kind == "any_of" else (self,)

    @property
    def words(self) -> str:
        """A description of the condition, for an error."""
        value = repr(self.what[:100]) if isinstance(self.what, str) else ""
        match self.kind:
            case "any_of":
                return "; or ".join(one.words for one in self.what)
            case "ref":
                awaited = f"have the text {self.has_text[:100]!r}" if self.has_text else ""
                return " ".join((self.what, "to", awaited or f"be {self.state or 'visible'}"))
            case "selector":
                return f"an element that matches {value} to be {self.state or 'visible'}"
            case "text_gone":
                return f"the text {value} to disappear"
            case "time_s":
                return f"{self.what:g} s to pass"
            case kind:
                return f"{_NAMES.get(kind, f'the {kind}')} {value}".rstrip()

    @property
    def runs_script(self) -> bool:
        return any(one.kind == "script" for one in self.each())


def condition_of(**arguments: Any) -> Condition:
    """Return the condition in the arguments of ``Browser.wait``.

    Raises:
        InvalidArgument: there is no condition or more than one, or a value is invalid.
    """
    named = {kind: arguments[kind] for kind in _KINDS if arguments.get(kind) is not None}
    if len(named) != 1:
        raise InvalidArgument(
            f"Give exactly one condition to wait for. This call has: {', '.join(named) or 'none'}.",
            f"Give one of these: {', '.join(_KINDS)}." + " any_of accepts several." * bool(named),
            field=next(iter(named), "text"),
        )
    kind, what = next(iter(named.items()))
    more = {name: arguments[name] for name in _ADDS if arguments.get(name) is not None}
    for name in more:
        if kind not in _ADDS[name]:
            kinds = " or ".join(_ADDS[name])
            raise InvalidArgument(
                f"{name} works only with {kinds}.", f"Omit {name}, or give {kinds}.", field=name
            )
    if kind == "any_of":
        what = tuple(_any_of(what))
    else:
        _check(kind, what)
    if "state" in more:
        states = get_args(State) if kind == "ref" else _OF_SELECTOR
        one_of("state", more["state"], states)
    if "has_text" in more:
        _check_text("has_text", more["has_text"])
    return Condition(kind, what, **more)


def _any_of(conditions: Any) -> Iterator[Condition]:
    if not isinstance(conditions, list | tuple) or not 1 <= len(conditions) <= _MOST:
        raise InvalidArgument(
            f"any_of must be a list of 1 to {_MOST} conditions.",
            'Give a list such as [{"text": "Done"}, {"selector": ".error"}].',
            field="any_of",
        )
    for number, one in enumerate(conditions):
        field = f"any_of[{number}]"
        if not isinstance(one, Mapping):
            raise InvalidArgument(
                f"{field} must be an object such as {{'text': 'Done'}}, not {repr(one)[:100]}.",
                field=field,
            )
        known = ({*_KINDS} | {*_ADDS}) - {"any_of", "filename"}
        if unknown := next((name for name in one if name not in known), None):
            raise InvalidArgument(
                f"Unknown field {str(unknown)[:100]!r} in an any_of condition.",
                f"The fields of a condition are: {', '.join(sorted(known))}.",
                field=f"{field}.{str(unknown)[:100]}",
            )
        try:
            yield condition_of(**one)
        except InvalidArgument as error:
            error.message = f"{field}: {error.message}"
            error.data["field"] = f"{field}.{error.data['field']}"
            raise


def _check(kind: Kind, what: Any) -> None:
    if kind == "time_s":
        if isinstance(what, bool) or not isinstance(what, int | float) or not what >= 0:
            raise InvalidArgument(f"time_s must be a number of seconds, not {what!r}.", field=kind)
    elif kind == "download":
        if what not in (True, "true") and not _DOWNLOAD_ID.fullmatch(str(what)):
            raise InvalidArgument(
                f"download must be true or a download id (dl-3), not {str(what)[:100]!r}.",
                field=kind,
            )
    else:
        _check_text(kind, what)
    if kind == "load_state":
        one_of(kind, what, get_args(LoadState))


def _check_text(field: str, what: Any) -> None:
    if not isinstance(what, str) or not what.strip():
        raise InvalidArgument(f"{field} must be a non-empty string.", field=field)
