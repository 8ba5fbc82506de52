"""Nodes: a document's elements and texts, as the walker tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

__all__ = ["Node", "Nodes", "Told", "decode"]

Props = dict[str, Any] | str | None
"""An element's states; a URL alone, as most links have it, without the dict around it."""


class Node(NamedTuple):
    """One of them."""

    depth: int
    role: str
    name: str
    local_id: int
    """The walker's number of the element; 0 when it is given none."""
    props: dict[str, Any]


class Nodes(msgspec.Struct, frozen=True):
    """All of a document, a column each: a snapshot goes through tens of thousands."""

    depths: Sequence[int] = ()
    roles: Sequence[str] = ()
    names: Sequence[str] = ()
    local_ids: Sequence[int] = ()
    props: Sequence[Props] = ()

    def __len__(self) -> int:
        return len(self.depths)

    def __iter__(self) -> Iterator[Node]:
        """One by one, for where they are few."""
        columns = (self.depths, self.roles, self.names, self.local_ids, self.props)
        for depth, role, name, local_id, props in zip(*columns, strict=True):
            states = {"url": props} if isinstance(props, str) else props or {}
            yield Node(depth, role, name, local_id, states)

    def iframes(self) -> list[int]:
        """The walker's numbers of the elements that hold frames."""
        if "iframe" not in self.roles:
            return []
        pairs = zip(self.roles, self.local_ids, strict=True)
        return [local_id for role, local_id in pairs if role == "iframe" and local_id]


class Told(msgspec.Struct, frozen=True):
    """What a walk gives (``js/columns.js``)."""

    nodes: Nodes
    cut: bool
    """Whether elements nest deeper than the walker follows."""
    view: list[int]
    """Which nodes are in the viewport: ``[from, to, from, to, ...]``."""
    suspects: int
    """How many elements may have a closed shadow root that has not been handed over."""
    title: str
    """The document's; empty when it has none."""


class _Stated(msgspec.Struct):
    at: list[int]
    states: list[dict[str, Any]]


class _Wire(msgspec.Struct):
    depths: list[int]
    roles: list[str]
    role: list[int]
    ids: list[int]
    linked: list[int]
    stated: _Stated
    cut: bool
    view: list[int]
    suspects: int
    title: str
    lines: list[str] | None
    """The names, then the URLs; None when they follow as lines."""


_decode = msgspec.json.Decoder(_Wire).decode


def decode(text: str) -> Told:
    """Read what the walker gave."""
    head, _, rest = text.partition("\n")
    wire = _decode(head)
    lines = rest.split("\n") if wire.lines is None else wire.lines
    count = len(wire.depths)
    props: list[Props] = [None] * count
    for at, url in zip(accumulate(wire.linked), lines[count:], strict=False):
        props[at] = url
    for at, states in zip(wire.stated.at, wire.stated.states, strict=True):
        props[at] = states
    roles = list(map(wire.roles.__getitem__, wire.role))
    nodes = Nodes(wire.depths, roles, lines[:count], _numbers(wire.ids), props)
    return Told(nodes, wire.cut, wire.view, wire.suspects, wire.title)


def _numbers(steps: list[int]) -> list[int]:
    """Numbers that were told by how far each is from the one before; 0 is none."""
    numbers = list(accumulate(steps))
    if 0 not in steps:
        return numbers
    return [number if step else 0 for number, step in zip(numbers, steps, strict=True)]
