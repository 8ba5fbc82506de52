"""Turn the walker's nodes into short, escaped lines for a model.

All text from the page is in JSON-quoted strings. So no name can end its quotes, begin a line, or
imitate ``[ref=e1]``.

The outline repeats nothing. A heading or list item with a single element shares the element's line.
A table row is one line. Consecutive short texts share a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from tabwarden.page.snapshot.states import LEFT_BEHIND, States
from tabwarden.page.text import FIELD_ROLES, Lines, is_plain, quoted, ranges
from tabwarden.page.walker import Layers, Nodes, Props

DEFAULT_MAX_CHARS = 40_000
_WORD = re.compile(r"\w+")
_CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))
_HEADS = frozenset(("columnheader", "rowheader"))
# Roles of elements that share a line with their only child.
_HOLDERS = frozenset(("heading", "listitem", "cell", "gridcell", "term", "definition", "figure"))
_TIES = frozenset(("toolbar", "group"))
# Roles of covering layers. A layer with another role is identified by an element in it.
_LAYERS = frozenset(("dialog", "alertdialog", "iframe", "menu", "listbox", "canvas", "img"))
_SHORT_TEXT = 80
_JOINED = 240
_LONGEST_ROW = 1_500
_EMPTY_CELLS = 3
_ALONE = frozenset(("row", "iframe"))
"""Roles with their own line format."""
_RUN = 8
"""The minimum number of consecutive plain elements that ``_add_run`` handles together."""

RefsOf = Callable[[slice], list[int]]


class Below(Protocol):
    def __call__(self, local_id: int, number: int, at: int, *, in_view: bool) -> Lines:
        """Return the lines of an iframe's document. ``number`` is the iframe's ref number."""


def render(
    nodes: Nodes,
    depth: int,
    refs_of: RefsOf,
    below: Below,
    view: Sequence[int] = (),
    layers: Layers | None = None,
) -> Lines:
    """Turn one frame's nodes into lines.

    Args:
        nodes: the walker's result.
        depth: the depth of the outermost lines.
        refs_of: returns the ref number of each node in a slice; 0 for a node without a ref.
        below: returns the lines of an iframe's document.
        view: the ranges of nodes in the viewport: ``[from, to, from, to, ...]``.
        layers: the layers that cover other elements.
    """
    if layers is None:
        return _Rendering(nodes, depth, refs_of, below).lines(view)
    at, count = layers.behind, len(nodes)
    number_of = dict(zip(nodes.local_ids, refs_of(slice(0, count)), strict=True))

    def cover(local_id: int) -> str:
        if not local_id:
            return "a layer without controls"
        role = nodes.roles[nodes.local_ids.index(local_id)]
        return f"{role if role in _LAYERS else 'the layer with'} e{number_of[local_id]}"

    def refs_behind(some: slice) -> list[int]:
        return refs_of(slice(some.start + at, some.stop + at))

    front = nodes.part(0, at)
    lines = _Rendering(front, depth, refs_of, below).lines(_part_of(view, 0, at))
    for by, covered in layers.covers:
        numbers = sorted(number_of[one] for one in covered)
        lines.add(depth, "note", f"({', '.join(ranges(numbers))} covered by {cover(by)})", 0, 1)
    if at < count:
        rest = nodes.part(at, count)
        tail = _Rendering(rest, depth, refs_behind, below).lines(_part_of(view, at, count))
        size = len(tail.refs())
        note = f"({size} element{'s' * (size != 1)} behind {cover(layers.by)})"
        lines.add(depth, "note", note, 0, 1)
        tail.behind = [(0, len(tail))]
        lines.extend(tail)
    return lines


def _part_of(view: Sequence[int], start: int, end: int) -> list[int]:
    """Move the viewport's ranges to a part of the nodes."""
    return [min(max(at, start), end) - start for at in view]


class _Rendering:
    def __init__(
        self,
        nodes: Nodes,
        depth: int,
        refs_of: RefsOf,
        below: Below,
    ) -> None:
        self.nodes = nodes
        self.depth = depth
        self.refs_of = refs_of
        self.below = below
        self.plain = is_plain("".join(nodes.names))
        """Whether no name needs escaping. This is true for most pages."""
        self.numbers: list[int] = []
        """The ref numbers of the nodes up to the next iframe. The iframe's content is numbered
        next."""
        self.out = Lines()
        self.states = States()

    # This is a single loop, because a function call for each of 10,000 nodes would make it 10 %
    # slower.
    def lines(self, view: Sequence[int]) -> Lines:  # noqa: C901, PLR0912, PLR0915
        nodes, base, out, with_states, quote = (
            self.nodes,
            self.depth,
            self.out,
            self.states.added,
            self._quote,
        )
        depths, roles, names = nodes.depths, nodes.roles, nodes.names
        count = len(nodes)
        seen = _seen(view, count)
        holder, lifted = "", -1
        at, run_end = 0, -1
        self._number_on()
        numbers = self.numbers
        odd = self._odd()
        while at < count:
            if run_end <= at:
                run_end = odd.find(1, at)
            if run_end - at >= _RUN and at != lifted:
                self._add_run(slice(at, run_end), seen)
                at = run_end
                continue
            role, name, props, number = roles[at], names[at], nodes.props[at], numbers[at]
            depth, here = base + depths[at], seen[at]
            skipped = at + 1
            if number:
                text = f"{role} {quote(at)} [ref=e{number}]" if name else f"{role} [ref=e{number}]"
                if role == "row" and (row := self._row(at)) is not None:
                    pieces, inner, at = row
                    text = f"{with_states(text, props, number)}: {pieces}"
                    out.add(depth, role, text, (number, *inner) if inner else number, here)
                    continue
                if props:
                    text = with_states(text, props, number, name)
                if name and skipped < count and roles[skipped] == "text":
                    shows = self._text_only(at)
                    if shows is not None:
                        skipped += 1
                        if not _is_said(shows, name):
                            text = f"{text} text={quoted(shows)}"
                if at == lifted:
                    out.add(depth - 1, role, holder + text, number, here)
                else:
                    out.add(depth, role, text, number, here)
                if role == "iframe":
                    inside = self.below(nodes.local_ids[at], number, depth + 1, in_view=bool(here))
                    out.extend(inside)
                    self._number_on()
            elif role == "text" or (
                role == "listitem" and name and not props and self._is_leaf(at)
            ):
                before = at - 1 if at and role == "text" else at
                is_label = (  # the text is also the name of the field below it
                    role == "text"
                    and skipped < count
                    and roles[skipped] in FIELD_ROLES
                    and names[skipped] == name
                )
                if not is_label and (roles[before] == role or names[before] != name):
                    self._add_text(depth, role, quote(at), here)
                # otherwise the text repeats the neighboring element's name
            elif role in _HOLDERS and self._holds_one(at):
                text = with_states(role, props, 0)
                holder = "" if text == "listitem" else f"{text}: "
                lifted = skipped
            elif role == "left behind":
                out.add(depth, "note", LEFT_BEHIND.get(name, quoted(name)), 0, here)
            elif role == "row" and (row := self._row(at)) is not None:
                pieces, inner, skipped = row
                text = with_states(f"{role} {quote(at)}" if name else role, props, 0)
                out.add(
                    depth,
                    role,
                    f"{text}: {pieces}",
                    inner[0] if len(inner) == 1 else inner or 0,
                    here,
                )
            else:
                text = with_states(f"{role} {quote(at)}" if name else role, props, 0)
                out.add(depth, role, text, 0, here)
            at = skipped
        return out

    def _odd(self) -> bytearray:
        """Return 1 for each node that ``_add_run`` can't handle, and another 1 at the end."""
        nodes = self.nodes
        odd = bytearray(
            [
                not (local_id and name) or role in _ALONE or type(props) is dict
                for local_id, role, name, props in zip(
                    nodes.local_ids, nodes.roles, nodes.names, nodes.props, strict=True
                )
            ]
        )
        odd.append(1)
        if "text" in nodes.roles:  # the text may belong to the preceding element
            for at, role in enumerate(nodes.roles):
                if role == "text" and at:
                    odd[at - 1] = 1
        return odd

    def _add_run(self, run: slice, seen: bytearray) -> None:
        nodes, out, base = self.nodes, self.out, self.depth
        depths, roles, names = nodes.depths[run], nodes.roles[run], nodes.names[run]
        numbers = self.numbers[run]
        urls = self.states.of_urls(nodes.props[run], numbers)
        columns = zip(roles, names, numbers, urls, strict=True)
        if self.plain:
            out.texts += [f'{role} "{name}" [ref=e{n}]{url}' for role, name, n, url in columns]
        else:
            out.texts += [
                f"{role} {quoted(name)} [ref=e{n}]{url}" for role, name, n, url in columns
            ]
        out.depths += [base + depth for depth in depths] if base else depths
        out.roles += roles
        out.numbers += numbers
        out.in_view += seen[run]

    def _add_text(self, depth: int, role: str, quote: str, here: int) -> None:
        """Add a text or a text-only list item. Append it to the previous line if both are short."""
        out = self.out
        if not (
            out.roles
            and out.roles[-1] == role
            and out.depths[-1] == depth
            and not out.numbers[-1]
            and _joins(out.texts[-1], role, quote)
        ):
            out.add(depth, role, f"{role} {quote}", 0, here)
            return
        out.texts[-1] = f"{out.texts[-1]} | {quote}"
        out.in_view[-1] |= here

    def _quote(self, at: int) -> str:
        name = self.nodes.names[at]
        return f'"{name}"' if self.plain else quoted(name)

    def _number_on(self) -> None:
        """Assign refs up to the next iframe, so that the elements in the iframe get the next
        numbers."""
        nodes, start = self.nodes, len(self.numbers)
        roles, local_ids = nodes.roles, nodes.local_ids
        end = start
        while True:
            try:
                end = roles.index("iframe", end) + 1
            except ValueError:
                end = len(roles)
                break
            if local_ids[end - 1]:
                break
        self.numbers += self.refs_of(slice(start, end))

    def _text_only(self, at: int) -> str | None:
        """Return an element's text if the element contains nothing else."""
        depths = self.nodes.depths
        level = depths[at]
        if depths[at + 1] <= level or (at + 2 < len(depths) and depths[at + 2] > level):
            return None
        text = self.nodes.names[at + 1]
        return text if len(text) <= _SHORT_TEXT else None

    def _is_leaf(self, at: int) -> bool:
        depths = self.nodes.depths
        return at + 1 == len(depths) or depths[at + 1] <= depths[at]

    def _holds_one(self, at: int) -> bool:
        """Whether a node has no ref, no name of its own, and only one child."""
        nodes, one = self.nodes, at + 1
        if one == len(nodes) or nodes.depths[one] != nodes.depths[at] + 1:
            return False
        if not nodes.local_ids[one] or nodes.roles[one] == "iframe":
            return False
        if one + 1 < len(nodes) and nodes.depths[one + 1] > nodes.depths[at]:
            return False
        return not nodes.names[at] or nodes.names[at] == nodes.names[one]

    def _row(self, at: int) -> tuple[str, tuple[int, ...], int] | None:
        """Return a row's text, its refs and its end; None if a cell is too complex for one line."""
        plain_row = self._plain_row(at)
        if plain_row is None:
            return None
        end, headers = plain_row
        nodes = self.nodes
        level = nodes.depths[at]
        pieces: list[str] = []
        numbers: list[int] = []
        for one in range(at + 1, end):
            if self._says_nothing(one):
                continue
            role, name, number, props = (
                nodes.roles[one], nodes.names[one], self.numbers[one], nodes.props[one]
            )  # fmt: skip
            cell = nodes.depths[one] == level + 1
            plain = role == "text" or cell
            if number or (props and plain) or not plain:
                text = f"{role} {self._quote(one)}" if name else role
                if number:
                    numbers.append(number)
                    text = f"{text} [ref=e{number}]"
                text = self.states.added(text, _without_near(props, nodes.names[at:end]), number)
            else:
                text = self._quote(one) if name or not cell else ""
            if cell:
                pieces.append(text)
            else:
                pieces[-1] = f"{pieces[-1]} {text}".lstrip()
        row = " | ".join(_without_gaps(pieces))
        return (f"headers {row}" if headers else row), tuple(numbers), end

    def _plain_row(self, at: int) -> tuple[int, bool] | None:
        """Return the end of a row with only plain cells, and whether all its cells are headers."""
        nodes = self.nodes
        level = nodes.depths[at]
        end, size = at + 1, 0
        heads = cells = 0
        deepest = level + 2
        while end < len(nodes) and nodes.depths[end] > level:
            depth, role = nodes.depths[end], nodes.roles[end]
            if depth == level + 1:
                if role not in _CELLS:
                    return None
                cells += 1
                heads += role in _HEADS
                deepest = level + 2
            elif depth > deepest or role in ("iframe", "list", "table"):
                return None
            else:
                deepest = depth + self._says_nothing(end)
            size += len(nodes.names[end]) + 8
            end += 1
        if not cells or size > _LONGEST_ROW:
            return None
        return end, heads == cells > 1

    def _says_nothing(self, at: int) -> bool:
        """Whether a node only groups its children."""
        nodes = self.nodes
        return nodes.roles[at] in _TIES and not (
            nodes.names[at] or nodes.local_ids[at] or nodes.props[at]
        )


def _without_gaps(cells: Sequence[str]) -> list[str]:
    """Omit empty cells at a row's end. Write ``(3 empty)`` for three consecutive empty cells."""
    pieces: list[str] = []
    empty = 0
    for cell in cells:
        if not cell:
            empty += 1
            continue
        pieces += [f"({empty} empty)"] if empty >= _EMPTY_CELLS else [""] * empty
        pieces.append(cell)
        empty = 0
    return pieces or ["(empty)"]


def _without_near(props: Props, row: Sequence[str]) -> Props:
    """Return an element's states without the label that the row already shows."""
    if type(props) is not dict or "near" not in props:
        return props
    shown = any(name.rstrip(": ") == props["near"] for name in row)
    return {key: value for key, value in props.items() if key != "near"} if shown else props


def _seen(view: Sequence[int], count: int) -> bytearray:
    """Return 1 for each node in the viewport, and 0 for the others."""
    seen = bytearray(count)
    for start, end in zip(view[::2], (*view, count)[1::2], strict=False):
        seen[start:end] = b"\1" * (end - start)
    return seen


def _joins(last: str, role: str, quote: str) -> bool:
    """Whether a text can be appended to the previous line, which has the same role."""
    return (
        len(quote) <= _SHORT_TEXT
        and len(last) + len(quote) <= _JOINED
        and (len(last) <= _SHORT_TEXT or " | " in last)
        and last.startswith(f'{role} "')
    )


def _is_said(text: str, name: str) -> bool:
    """Whether a name contains every word of a text."""
    return set(_WORD.findall(text.casefold())) <= set(_WORD.findall(name.casefold()))
