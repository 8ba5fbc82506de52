"""The elements and pieces of text that the walker reports for a document."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

Props = dict[str, Any] | str | None
"""An element's states. Most links have no state except a URL, so their URL is stored as a plain
string."""


_FRAMED = ("iframe", "embed")


class Node(NamedTuple):
    """An element or a piece of text."""

    depth: int
    role: str
    name: str
    local_id: int
    """The walker's number for the element; 0 if the node has no number."""
    props: dict[str, Any]


class Nodes(msgspec.Struct, frozen=True):
    """All nodes of a document, stored in columns because there may be tens of thousands."""

    depths: Sequence[int] = ()
    roles: Sequence[str] = ()
    names: Sequence[str] = ()
    local_ids: Sequence[int] = ()
    props: Sequence[Props] = ()

    def __len__(self) -> int:
        return len(self.depths)

    def __iter__(self) -> Iterator[Node]:
        """Yield the nodes one by one. This is too slow for large documents."""
        columns = (self.depths, self.roles, self.names, self.local_ids, self.props)
        for depth, role, name, local_id, props in zip(*columns, strict=True):
            states = {"url": props} if isinstance(props, str) else props or {}
            yield Node(depth, role, name, local_id, states)

    def part(self, start: int, end: int) -> Nodes:
        if (start, end) == (0, len(self)):
            return self
        some = slice(start, end)
        return Nodes(
            self.depths[some],
            self.roles[some],
            self.names[some],
            self.local_ids[some],
            self.props[some],
        )

    def iframes(self) -> list[int]:
        """Return the local IDs of the elements that may have a document: iframes and embeds."""
        if "iframe" not in self.roles and "embed" not in self.roles:
            return []
        pairs = zip(self.roles, self.local_ids, strict=True)
        return [local_id for role, local_id in pairs if role in _FRAMED and local_id]

    def with_embeds(self, owners: Collection[int]) -> Nodes:
        """Return the nodes. Each embed that has a document (``owners``) is an iframe."""
        if "embed" not in self.roles:
            return self
        pairs = zip(self.roles, self.local_ids, strict=True)
        roles = ["iframe" if role in _FRAMED and one in owners else role for role, one in pairs]
        return msgspec.structs.replace(self, roles=roles)


class Layers(msgspec.Struct, frozen=True):
    """The content under dialogs and other covers (``js/outline/layers.js``)."""

    behind: int
    """The first node behind the page's dialog; the nodes before it belong to the dialog."""
    by: int
    """The local ID of the dialog or of an element in it; 0 if there is none."""
    covers: list[tuple[int, list[int]]]
    """The other covers. Each entry has the local ID of the cover (or 0) and the local IDs of the
    covered elements."""


class WalkResult(msgspec.Struct, frozen=True):
    """The result of a walk (``js/outline/columns.js``)."""

    nodes: Nodes
    cut: bool
    """Whether the walker left out elements that are nested too deeply."""
    view: list[int]
    """The ranges of nodes in the viewport: ``[from, to, from, to, ...]``."""
    layers: Layers | None
    suspects: int
    """How many elements may have a closed shadow root that the walker has not read yet."""
    carousels: int
    """How many elements may have buttons or markers that the browser draws (carousels)."""
    title: str
    """The document's title; may be empty."""
    kind: str
    """The document's kind, if it needs a description (``js/document/kind.js``)."""


class _States(msgspec.Struct):
    at: list[int]
    states: list[dict[str, Any]]


class _Wire(msgspec.Struct):
    depths: list[int]
    roles: list[str]
    role: list[int]
    ids: list[int]
    linked: list[int]
    stated: _States
    cut: bool
    view: list[int]
    suspects: int
    title: str
    lines: list[str] | None
    """The names, then the URLs. None if they follow the JSON as lines of text."""
    layers: Layers | None = None
    kind: str = ""
    carousels: int = 0


_decode = msgspec.json.Decoder(_Wire).decode


def decode(text: str) -> WalkResult:
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
    return WalkResult(
        nodes,
        wire.cut,
        wire.view,
        wire.layers,
        wire.suspects,
        wire.carousels,
        wire.title,
        wire.kind,
    )


def _numbers(steps: list[int]) -> list[int]:
    """Compute numbers from their differences. A difference of 0 stands for the number 0."""
    numbers = list(accumulate(steps))
    if 0 not in steps:
        return numbers
    return [number if step else 0 for number, step in zip(numbers, steps, strict=True)]
