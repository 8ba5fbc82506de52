"""Cursors: keep the omitted parts of snapshots, which the agent may request (``more="m3"``)."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.text.untrusted_text import Line

_KEPT = 400
_FORMS = re.compile(r"^\[?(?:more=)?m(\d{1,9})\]?\Z")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that a snapshot left out: ``lines[start:end]``."""

    tab_id: str
    frame_id: str | None
    """The frame that the snapshot shows; None for the whole tab."""
    lines: Sequence[Line]
    """All lines of the outline."""
    start: int
    end: int
    document: str = ""
    """The loader id of the document, if known."""
    url: str = ""


class Cursors:
    """The omitted parts that a task can still request. Their names are never reused."""

    def __init__(self) -> None:
        self._parts: OrderedDict[int, Part] = OrderedDict()
        self._last = 0

    def add(self, part: Part) -> str:
        self._last += 1
        self._parts[self._last] = part
        if len(self._parts) > _KEPT:
            self._parts.popitem(last=False)
        return f"m{self._last}"

    def find(self, name: str) -> Part:
        """Return the part with this name (``m3`` or ``more=m3``), or raise ``InvalidArgument``."""
        form = _FORMS.match(name.strip()) if isinstance(name, str) else None
        part = self._parts.get(int(form[1])) if form is not None else None
        if part is None:
            raise InvalidArgument(
                f"Unknown continuation {name!r}.",
                "Use a name listed in a recent snapshot, such as more=m3.",
                field="more",
            )
        return part
