"""Parts of an outline: an element's lines, and the omitted parts that the agent may request
(``more="m3"``)."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.text.lines import Lines
from tabwarden.page.text.untrusted_text import Line, role_and_name

_MOST_PARTS = 400
_MOST_ANCESTORS = 4
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
        if len(self._parts) > _MOST_PARTS:
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


def within(lines: Lines, ref: str) -> range | None:
    """Return the range of lines for an element and its content; None if the element is missing."""
    number = int(ref[1:])
    for at, numbers in enumerate(lines.numbers):
        if numbers == number or (isinstance(numbers, tuple) and number in numbers):
            return range(at, lines.end(at))
    return None


def ancestors_line(lines: Sequence[Line], at: int) -> list[Line]:
    """Return a single line that shows a line's ancestors, or an empty list for an outermost
    line."""
    path: list[str] = []
    depth = lines[at].depth
    for line in reversed(lines[:at]):
        if line.depth < depth and line.mark == lines[at].mark:
            path.append(role_and_name(line))
            depth = line.depth
    if not path:
        return []
    return [Line(0, "place", " > ".join(reversed(path[:_MOST_ANCESTORS])), mark="@")]


def has_changed(part: Part, current: Lines) -> bool:
    """Whether some of the omitted lines have changed or disappeared."""
    current_texts = set(current.texts)
    run = part.lines[part.start : part.end]
    return any(line.text not in current_texts for line in run if not line.mark)
