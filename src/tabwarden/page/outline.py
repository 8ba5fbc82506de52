"""The outline: the walker's nodes as lines that a model reads, escaped, and as short as can be.

Whatever comes from the page stands in JSON-quoted strings: no name can close its quotes, begin a
line, or pose as ``[ref=e1]``.

What is said once is not said again: a heading that is one link is that link's line, an item of a
list that is one element is that element's, a row of a table is one line, short texts that follow
each other share one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Protocol

from tabwarden.page.fence import fence
from tabwarden.page.line import Line, is_plain, quoted
from tabwarden.page.links import short_url
from tabwarden.page.node import Nodes, Props

__all__ = ["DEFAULT_MAX_CHARS", "Line", "fence", "quoted", "render"]

DEFAULT_MAX_CHARS = 40_000
_STATES = ("checked", "disabled", "expanded", "selected", "pressed", "level", "invalid")
_FLAGS = (
    "required", "readonly", "active", "clickable", "modal", "editable", "multiselectable",
    "offscreen", "obscured",
)  # fmt: skip
_WORDS = (
    "value", "min", "max", "placeholder", "description", "url", "type", "haspopup", "current",
    "orientation",
)  # fmt: skip
_TOKENS = frozenset(("type", "haspopup", "current", "orientation"))
# A word that needs no quotes.
_TOKEN = re.compile("[a-z][a-z-]{0,30}")
_WORD = re.compile(r"\w+")
_CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))
_HEADS = frozenset(("columnheader", "rowheader"))
# One element in one of these stands in its line.
_HOLDERS = frozenset(("heading", "listitem", "cell", "gridcell", "term", "definition", "figure"))
_TIES = frozenset(("toolbar", "group"))
_SHORT_TEXT = 80
_JOINED = 240
_LONGEST_ROW = 1_500
_LONG_ENOUGH = 24
"""A URL or a list of options that is longer is not said twice in a row."""

RefsOf = Callable[[slice], list[str]]


class Below(Protocol):
    """An iframe's local id, its ref, and how deep that stands, to the lines of what is in it."""

    def __call__(self, local_id: int, ref: str, at: int, *, in_view: bool) -> list[Line]:
        """Those lines."""


def render(
    nodes: Nodes,
    depth: int,
    refs_of: RefsOf,
    below: Below,
    view: Sequence[int] = (),
) -> list[Line]:
    """One frame's nodes as lines.

    Args:
        nodes: as the walker gives them.
        depth: how deep the frame itself stands.
        refs_of: a run of the nodes to their refs, "" for those that have none.
        below: an iframe to the lines of the document in it.
        view: which nodes are in the viewport: ``[from, to, from, to, ...]``.
    """
    return _Rendering(nodes, depth, refs_of, below).lines(view)


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
        self.quotes = _all_quoted(nodes.names)
        self.refs: list[str] = []
        """Of the nodes so far, and up to the next iframe: what is in that comes before the rest."""
        self._url = ("", "")
        """Where the last link leads, and its ref."""
        self._options: dict[str, str] = {}
        """The options of selects, and the ref of the first that has them."""

    def lines(self, view: Sequence[int]) -> list[Line]:
        nodes, base, quotes, told = self.nodes, self.depth, self.quotes, self._words
        count = len(nodes)
        lines: list[Line] = []
        add = lines.append
        holder, lifted, skipped = "", -1, 0
        refs = self._number_on()
        columns = zip(
            nodes.depths, nodes.roles, nodes.names, nodes.props, _seen(view, count), strict=True
        )
        for at, (level, role, name, props, seen) in enumerate(columns):
            if at < skipped:
                continue
            depth = base + level
            if ref := refs[at]:
                text = f"{role} {quotes[at]} [ref={ref}]" if name else f"{role} [ref={ref}]"
                if role == "row" and (row := self._row(at)) is not None:
                    pieces, inner, skipped = row
                    text = f"{told(text, props, ref)}: {pieces}"
                    add(Line(depth, role, text, (ref, *inner), seen))
                    continue
                if props:
                    text = told(text, props, ref, name)
                if name and at + 1 < count and nodes.roles[at + 1] == "text":
                    shows = self._text_only(at)
                    if shows is not None:
                        skipped = at + 2
                        if not _is_said(shows, name):
                            text = f"{text} text={quoted(shows)}"
                if at == lifted:
                    add(Line(depth - 1, role, holder + text, (ref,), seen))
                else:
                    add(Line(depth, role, text, (ref,), seen))
                if role == "iframe":
                    lines.extend(self.below(nodes.local_ids[at], ref, depth + 1, in_view=seen))
                    refs = self._number_on()
            elif role == "text" or (
                role == "listitem" and name and not props and self._is_leaf(at)
            ):
                before = at - 1 if at and role == "text" else at
                if nodes.roles[before] != role and nodes.names[before] == name:
                    continue  # the caption of what was just named by it
                last = lines[-1] if lines else None
                text = quotes[at]
                if last is not None and _joins(last, role, depth, text):
                    lines[-1] = Line(depth, role, f"{last.text} | {text}", (), seen or last.in_view)
                else:
                    add(Line(depth, role, f"{role} {text}", (), seen))
            elif role in _HOLDERS and self._holds_one(at):
                said = told(role, props, "")
                holder = "" if said == "listitem" else f"{said}: "
                lifted = at + 1
            elif role == "row" and (row := self._row(at)) is not None:
                pieces, inner, skipped = row
                text = f"{role} {quotes[at]}" if name else role
                add(Line(depth, role, f"{told(text, props, '')}: {pieces}", inner, seen))
            else:
                text = f"{role} {quotes[at]}" if name else role
                add(Line(depth, role, told(text, props, ""), (), seen))
        return lines

    def _number_on(self) -> list[str]:
        """Give refs to what comes next, up to an iframe: numbers go by what stands where."""
        nodes, start = self.nodes, len(self.refs)
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
        self.refs += self.refs_of(slice(start, end))
        return self.refs

    def _text_only(self, at: int) -> str | None:
        """The text after an element, if that is in it, and nothing else is."""
        depths = self.nodes.depths
        level = depths[at]
        if depths[at + 1] <= level or (at + 2 < len(depths) and depths[at + 2] > level):
            return None
        text = self.nodes.names[at + 1]
        return text if len(text) <= _SHORT_TEXT else None

    def _is_leaf(self, at: int) -> bool:
        """Whether nothing stands in a node."""
        depths = self.nodes.depths
        return at + 1 == len(depths) or depths[at + 1] <= depths[at]

    def _holds_one(self, at: int) -> bool:
        """Whether a node without a ref says nothing but what the one element in it says."""
        nodes, one = self.nodes, at + 1
        if one == len(nodes) or nodes.depths[one] != nodes.depths[at] + 1:
            return False
        if not nodes.local_ids[one] or nodes.roles[one] == "iframe":
            return False
        if one + 1 < len(nodes) and nodes.depths[one + 1] > nodes.depths[at]:
            return False
        return not nodes.names[at] or nodes.names[at] == nodes.names[one]

    def _row(self, at: int) -> tuple[str, tuple[str, ...], int] | None:
        """A row's cells in one line, the refs in it, and where it ends; None if it holds more
        than cells with a few plain things in them.
        """
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
        pieces: list[str] = []
        refs: list[str] = []
        for one in range(at + 1, end):
            if self._says_nothing(one):
                continue
            role, name, ref, props = (
                nodes.roles[one], nodes.names[one], self.refs[one], nodes.props[one]
            )  # fmt: skip
            cell = nodes.depths[one] == level + 1
            plain = role == "text" or cell
            if ref or (props and plain) or not plain:
                said = f"{role} {self.quotes[one]}" if name else role
                if ref:
                    refs.append(ref)
                    said = f"{said} [ref={ref}]"
                said = self._words(said, props, ref)
            else:
                said = self.quotes[one] if name or not cell else ""
            if cell:
                pieces.append(said)
            else:
                pieces[-1] = f"{pieces[-1]} {said}".lstrip()
        row = " | ".join(pieces)
        return (f"headers {row}" if heads == cells > 1 else row), tuple(refs), end

    def _says_nothing(self, at: int) -> bool:
        """Whether a node only holds others together."""
        nodes = self.nodes
        return nodes.roles[at] in _TIES and not (
            nodes.names[at] or nodes.local_ids[at] or nodes.props[at]
        )

    def _words(self, text: str, props: Props, ref: str, name: str = "") -> str:
        """A line with the states of its element."""
        if not props:
            return text
        if isinstance(props, str):
            url = short_url(props)
            return f"{text} {self._url_words(url, ref)}" if url else text
        words = [text]
        for key in _STATES:
            if key in props:
                value = props[key]
                if key == "expanded" and not value and "haspopup" in props:
                    continue  # what pops up is not there
                words.append(key if value is True else f"{key}={json.dumps(value)}")
        words += [key for key in _FLAGS if props.get(key)]
        for key in _WORDS:
            if value := props.get(key):
                said = str(value)
                if said == name and key in ("placeholder", "description"):
                    continue
                if key == "url":
                    if said := short_url(said):
                        words.append(self._url_words(said, ref))
                elif key in _TOKENS and _TOKEN.fullmatch(said):
                    words.append(f"{key}={said}")
                else:
                    words.append(f"{key}={quoted(said)}")
        if options := props.get("options"):
            shown = ", ".join(quoted(str(option)) for option in options)
            more = f", {props['options_more']} more" if props.get("options_more") else ""
            words.append(self._options_words(f"[{shown}{more}]", ref))
        return " ".join(words)

    def _url_words(self, url: str, ref: str) -> str:
        """``url="/long"``; or, where the last link leads there too, ``url as e12``."""
        known, of = self._url
        if known == url and len(url) > _LONG_ENOUGH and of and ref and of != ref:
            return f"url as {of}"
        self._url = (url, ref)
        return f"url={quoted(url)}"

    def _options_words(self, options: str, ref: str) -> str:
        of = self._options.setdefault(options, ref) if ref else ref
        return (
            f"options as {of}"
            if of != ref and len(options) > _LONG_ENOUGH
            else f"options={options}"
        )


def _all_quoted(names: Sequence[str]) -> list[str]:
    """Each name quoted; most pages' are plain, all of them, which is seen at once."""
    if is_plain("".join(names)):
        return [f'"{name}"' for name in names]
    return [quoted(name) for name in names]


def _seen(view: Sequence[int], count: int) -> list[bool]:
    """For each node whether it is in the viewport."""
    seen = [False] * count
    for start, end in zip(view[::2], (*view, count)[1::2], strict=False):
        seen[start:end] = [True] * (end - start)
    return seen


def _joins(last: Line, role: str, depth: int, text: str) -> bool:
    """Whether a short text, or a list's item that is one, goes on in the line of the one before."""
    return (
        last.role == role
        and last.depth == depth
        and not last.refs
        and len(text) <= _SHORT_TEXT
        and len(last.text) + len(text) <= _JOINED
        and (len(last.text) <= _SHORT_TEXT or " | " in last.text)
        and last.text.startswith(f'{role} "')
    )


def _is_said(text: str, name: str) -> bool:
    """Whether a name has all words of a text; what is drawn with signs alone says nothing."""
    return set(_WORD.findall(text.casefold())) <= set(_WORD.findall(name.casefold()))
