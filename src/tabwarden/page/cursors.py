"""Cursors: what was left out of a snapshot, kept until the agent asks for it (``more="m3"``)."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.line import Line

__all__ = ["Cursors", "Part"]

_KEPT = 400
_FORMS = re.compile(r"^\[?(?:more=)?m(\d{1,9})\]?\Z")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A run of lines that were not shown."""

    tab_id: str
    frame_id: str | None
    """Of which snapshot: the whole tab's (None), or a frame's."""
    lines: Sequence[Line]
    """The whole outline that it is a part of,"""
    start: int
    end: int
    """and which lines of it."""
    document: str = ""
    """Of which document (its loader id), as far as that is known,"""
    url: str = ""
    """and where that stood."""


class Cursors:
    """The parts that one task can still ask for. Names are never used again."""

    def __init__(self) -> None:
        self._parts: OrderedDict[int, Part] = OrderedDict()
        self._last = 0

    def add(self, part: Part) -> str:
        """A name for a part."""
        self._last += 1
        self._parts[self._last] = part
        if len(self._parts) > _KEPT:
            self._parts.popitem(last=False)
        return f"m{self._last}"

    def find(self, name: str) -> Part:
        """The part of a name: ``m3`` or ``more=m3``.

        Raises:
            InvalidArgument: no snapshot gave it, or too long ago.
        """
        form = _FORMS.match(name.strip()) if isinstance(name, str) else None
        part = self._parts.get(int(form[1])) if form is not None else None
        if part is None:
            raise InvalidArgument(
                f"more={name!r} is no part that a late snapshot left out.",
                "Take a snapshot: each part that it leaves out stands there with its name, such "
                "as more=m3.",
                field="more",
            )
        return part
