"""An outline that is stored in columns, one column for each field of a line.

A snapshot shows only a few hundred lines of a long outline. The other lines are only counted,
measured and compared, which is faster with columns. ``Line`` objects are created only on access.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from tabwarden.page.text.untrusted_text import Line

Numbers = int | tuple[int, ...]
"""The ref numbers in a line: 0 for no ref, one number, or a tuple for a table row."""
FIELD_ROLES = frozenset(
    ("textbox", "searchbox", "spinbutton", "combobox", "listbox", "checkbox", "radio", "switch",
     "slider")
)  # fmt: skip
"""The roles of form fields."""


class Lines(Sequence[Line]):
    """The lines of an outline. Only the code that builds an outline may change its lines."""

    __slots__ = ("behind", "depths", "in_view", "numbers", "roles", "texts")

    def __init__(
        self,
        depths: list[int] | None = None,
        roles: list[str] | None = None,
        texts: list[str] | None = None,
        numbers: list[Numbers] | None = None,
        in_view: bytearray | None = None,
    ) -> None:
        self.depths = [] if depths is None else depths
        self.roles = [] if roles is None else roles
        self.texts = [] if texts is None else texts
        self.numbers = [] if numbers is None else numbers
        self.in_view = bytearray() if in_view is None else in_view
        """1 for each line in the viewport, if the caller requested that."""
        self.behind: list[tuple[int, int]] = []
        """The lines ``[start, end)`` behind a dialog. The line before ``start`` mentions them."""

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Lines:
        """Convert lines to columns, without the marks (``+``, ``-``, ``~``)."""
        if isinstance(lines, cls):
            return lines
        return cls(
            [line.depth for line in lines],
            [line.role for line in lines],
            [line.text for line in lines],
            [_numbers(line.refs) for line in lines],
            bytearray([line.in_view for line in lines]),
        )

    def add(self, depth: int, role: str, text: str, numbers: Numbers = 0, in_view: int = 0) -> None:
        self.depths.append(depth)
        self.roles.append(role)
        self.texts.append(text)
        self.numbers.append(numbers)
        self.in_view.append(in_view)

    def extend(self, more: Lines) -> None:
        count = len(self)
        self.behind += [(start + count, end + count) for start, end in more.behind]
        self.depths += more.depths
        self.roles += more.roles
        self.texts += more.texts
        self.numbers += more.numbers
        self.in_view += more.in_view

    def pick(self, some: Sequence[int]) -> Lines:
        if isinstance(some, range) and len(some) == len(self):
            return self
        return Lines(
            [self.depths[at] for at in some],
            [self.roles[at] for at in some],
            [self.texts[at] for at in some],
            [self.numbers[at] for at in some],
            bytearray([self.in_view[at] for at in some]),
        )

    def sizes(self) -> list[int]:
        """Return the ``Line.size`` of each line."""
        lengths = map(len, self.texts)
        return [2 * depth + n + 3 for depth, n in zip(self.depths, lengths, strict=True)]

    def refs(self) -> list[int]:
        """Return the numbers of all refs in page order."""
        if tuple not in map(type, self.numbers):
            return list(filter(None, self.numbers))  # type: ignore[arg-type]
        return list(self.each_ref())

    def each_ref(self) -> Iterator[int]:
        """Yield the numbers of all refs, for callers that may stop early."""
        for numbers in self.numbers:
            if isinstance(numbers, tuple):
                yield from numbers
            elif numbers:
                yield numbers

    def refs_at(self, at: int) -> tuple[str, ...]:
        numbers = self.numbers[at]
        if isinstance(numbers, tuple):
            return tuple([f"e{number}" for number in numbers])
        return (f"e{numbers}",) if numbers else ()

    def end(self, at: int) -> int:
        """Return the index after a line's last descendant."""
        depth = self.depths[at]
        end = at + 1
        while end < len(self.depths) and self.depths[end] > depth:
            end += 1
        return end

    def __len__(self) -> int:
        return len(self.depths)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> Lines: ...

    def __getitem__(self, at: int | slice) -> Line | Lines:
        if isinstance(at, slice):
            return Lines(
                self.depths[at], self.roles[at], self.texts[at], self.numbers[at], self.in_view[at]
            )
        in_view = bool(self.in_view[at])
        return Line(self.depths[at], self.roles[at], self.texts[at], self.refs_at(at), in_view)

    def __iter__(self) -> Iterator[Line]:
        return map(self.__getitem__, range(len(self)))


def _numbers(refs: Sequence[str]) -> Numbers:
    numbers = [int(ref[1:]) for ref in refs]
    return tuple(numbers) if len(numbers) > 1 else numbers[0] if numbers else 0
