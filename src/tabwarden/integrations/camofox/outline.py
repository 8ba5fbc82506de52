"""Convert Camofox's snapshot to an outline with our refs, without I/O.

The server's refs (``e3``) restart with each snapshot, navigation and click, and identify an element
by its role, its name and its index among equal elements. Our ref therefore stores these three
values and the document's URL. Before we use our ref, we look up the server's current ref.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef, UnknownRef
from tabwarden.integrations.camofox.answers import Text
from tabwarden.page.text import fence, quoted

__all__ = ["Drawn", "Element", "Page", "Refs", "chunk_of", "drawn", "parse_page", "theirs"]

_LINE = re.compile(r'^ *- (?P<role>\w+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<rest>.*)$')
_QUOTED = re.compile(r"^( *- )'((?:[^']|'')*)'(.*)$")
"""A line that YAML must quote, for example because of a colon in a name. The server assigns no ref
to such a line.
"""
_SELECTED = frozenset({"button", "checkbox", "combobox", "link", "radio", "tab", "textbox"})
"""The roles of quoted lines to which we assign refs; we find their elements with a selector."""
_FRAME = re.compile(r'^- iframe ".*":$')
"""The first line of a frame, which the server adds after the page."""
_REF = re.compile(r"^ \[(e\d+)\]")
_FORMS = re.compile(r"^\[?(?:ref=)?@?e(\d{1,9})\]?\Z")
_MARKS = re.compile(r" \[([a-z][\w=-]*)\]")
_TAIL_CHARS = 5000
"""How many of a long page's last characters the server appends to each piece, after a line
break.
"""


class Element(NamedTuple):
    """An element as the server identifies it."""

    document: str
    """The URL of the tab's document, without its fragment."""
    role: str
    name: str
    nth: int
    """The element's index among the elements with this role and name in its part of the page."""
    of: int
    """The number of elements with this role and name. If it changes, the element is ambiguous."""
    part: int
    """0 for the page itself, 1 for its frames, which the server lists after it."""


class Line(NamedTuple):
    """A line of the outline, with the page's texts quoted."""

    depth: int
    role: str
    name: str
    tail: str
    """States, and the text or the value."""
    part: int
    element: Element | None
    """None if the server assigned no ref, or showed another element's ref."""

    @property
    def head(self) -> str:
        return f"{self.role} {quoted(self.name)}" if self.name else self.role

    def drawn(self, ref: str) -> str:
        words = (self.head, f"[ref={ref}]" if ref else "", self.tail)
        return f"{'  ' * self.depth}- {' '.join(filter(None, words))}"


class Page(NamedTuple):
    """One snapshot from the server."""

    url: str
    lines: tuple[Line, ...]
    refs: Mapping[Element, str]
    """Maps each element to the server's ref for it, which is valid until the server renews its
    refs, or to a selector.
    """

    @property
    def text(self) -> str:
        """The page's whole text, for searching."""
        return "\n".join(f"{line.head} {line.tail}" for line in self.lines)


def parse_page(url: str, chunks: Iterable[str]) -> Page:
    """Parse a snapshot's text, which the server can send in several chunks."""
    document = urldefrag(url).url
    lines: list[Line] = []
    numbers: list[int] = []
    selected: list[int] = []
    part = 0
    for sent in "".join(chunks).split("\n"):
        if not sent.strip():
            continue
        if _FRAME.match(sent):
            part = 1
        text = _QUOTED.sub(lambda m: m[1] + m[2].replace("''", "'") + m[3], sent)
        is_quoted = text != sent
        depth = (len(text) - len(text.lstrip(" "))) // 2
        role, name, their_ref, tail = _parsed(text)
        lines.append(Line(depth, role, name, tail, part, None))
        numbers.append(int(their_ref[1:]) if their_ref and not is_quoted else 0)
        if is_quoted and part == 0 and name and role in _SELECTED:
            selected.append(len(lines) - 1)
    trusted = sorted([*_trusted(lines, numbers), *selected])
    counts = Counter((lines[at].part, lines[at].role, lines[at].name) for at in trusted)
    seen: Counter[tuple[int, str, str]] = Counter()
    refs: dict[Element, str] = {}
    for at in trusted:
        line = lines[at]
        key = (line.part, line.role, line.name)
        element = Element(document, line.role, line.name, seen[key], counts[key], line.part)
        seen[key] += 1
        refs[element] = f"e{numbers[at]}" if numbers[at] else _selector(element)
        lines[at] = line._replace(element=element)
    return Page(url, tuple(lines), refs)


def _selector(element: Element) -> str:
    """Return Playwright's selector for an element to which the server assigns no ref."""
    name = json.dumps(element.name, ensure_ascii=False)
    return f"role={element.role}[name={name}s] >> nth={element.nth}"


def _trusted(lines: Sequence[Line], numbers: Sequence[int]) -> list[int]:
    """Return the lines whose refs belong to their own elements.

    The server counts elements with the same role and name per frame, but numbers them in its text
    across all frames. Therefore, a line in the page can show the ref of an element in a frame. The
    page's own refs are e1, e2 and so on, line by line, and the frames' refs follow.
    """
    last = 0
    indices: list[int] = []
    taken: set[int] = set()
    for at, number in enumerate(numbers):
        if not number:
            continue
        if lines[at].part == 0:
            last += 1
            is_own = number == last
        else:
            is_own = number > last and number not in taken
        taken.add(number)
        if is_own:
            indices.append(at)
    return indices


def chunk_of(reply: Text, offset: int) -> str:
    """Return the text that a piece adds to a snapshot. For a long page, each piece also has a mark
    and the page's last characters, so the last piece can contain these characters twice.
    """
    text = (reply.snapshot or "").encode("utf-16-le", "surrogatepass")
    if not reply.truncated:
        return reply.snapshot or ""
    end = reply.next_offset if reply.has_more else reply.total_chars
    wanted = 2 * ((end or 0) - offset)
    piece = text if reply.has_more else text[: -2 * (_TAIL_CHARS + 1)]
    rest = wanted - len(piece)
    added = piece[: max(wanted, 0)] + (text[-rest:] if rest > 0 else b"")
    return added.decode("utf-16-le", "replace")


def _parsed(line: str) -> tuple[str, str, str, str]:
    """Return the role, the name, the server's ref or "", and the rest, with its text quoted."""
    matched = _LINE.match(line)
    if matched is None:  # text that spans lines, or a property such as "/url: ..."
        bare = line.strip().removeprefix("- ")
        key, _, value = bare.partition(": ")
        if key == "/url" and value:
            return "url", "", "", quoted(value.strip())
        return "text", "", "", quoted(bare)
    rest, ref = matched["rest"], _REF.match(matched["rest"])
    if ref is not None:
        rest = rest[ref.end() :]
    tail = []
    while (mark := _MARKS.match(rest)) is not None:
        tail.append(mark[1])
        rest = rest[mark.end() :]
    value = rest.strip().removeprefix(":").strip()
    if value:
        tail.append(quoted(_unquoted(value)))
    name = _unquoted(matched["name"] or "")
    return matched["role"], name, ref[1] if ref is not None else "", " ".join(tail)


def _unquoted(text: str) -> str:
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text


class Refs:
    """One task's refs, keyed by element. A ref's number is never reused for another element."""

    def __init__(self) -> None:
        self.last = 0
        self._numbers: dict[tuple[str, Element], int] = {}
        self._elements: dict[int, tuple[str, Element]] = {}

    def number_after(self, last: int) -> None:
        """Assign only numbers above ``last`` from now on."""
        self.last = max(self.last, last)

    def assign(self, tab_id: str, element: Element) -> str:
        key = (tab_id, element)
        if key not in self._numbers:
            self.last += 1
            self._numbers[key] = self.last
            self._elements[self.last] = key
        return f"e{self._numbers[key]}"

    def find(self, text: str) -> tuple[str, Element]:
        """Return the tab and the element of a ref.

        Raises:
            InvalidArgument: ``text`` does not look like a ref. UnknownRef: no snapshot contains
                this ref.
        """
        form = _FORMS.match(text.strip()) if isinstance(text, str) else None
        if form is None:
            raise InvalidArgument(
                f"{text!r} is not a ref. A ref looks like 'e12'.",
                "Take a snapshot and use one of its refs.",
                field="ref",
            )
        entry = self._elements.get(int(form[1]))
        if entry is None:
            raise UnknownRef(
                f"No snapshot has the ref 'e{form[1]}'.",
                "Take a snapshot and use one of its refs.",
                ref=f"e{form[1]}",
            )
        return entry

    def tab_of(self, ref: str | None) -> str | None:
        form = _FORMS.match(ref.strip()) if isinstance(ref, str) else None
        entry = self._elements.get(int(form[1])) if form is not None else None
        return entry[0] if entry is not None else None

    def forget_tab(self, tab_id: str) -> None:
        """Make the refs of a closed tab unknown."""
        for key, number in list(self._numbers.items()):
            if key[0] == tab_id:
                del self._numbers[key], self._elements[number]


def theirs(page: Page, element: Element, ref: str) -> str:
    """Return an element's server ref on the current page, or a selector.

    Raises:
        StaleRef: the page no longer has the element.
        NotInteractable: the server would act on another element.
    """
    target = page.refs.get(element)
    if target is None:
        gone = "it is no longer in the page"
        if urldefrag(page.url).url != element.document:
            gone = "its page is no longer open"
        raise StaleRef(
            f"{ref} was {element.role} {element.name[:200]!r}, and {gone}.",
            "Take a new snapshot and use its refs.",
            ref=ref,
            role=element.role,
            name=element.name,
        )
    if not target.startswith("e"):
        return target
    # The server matches a name as a case-insensitive substring, and treats a missing name as any
    # name.
    wanted = element.name.casefold()
    alike = [
        line
        for line in page.lines
        if line.part == element.part
        and line.role == element.role
        and wanted in line.name.casefold()
    ]
    if element.nth >= len(alike) or alike[element.nth].element != element:
        raise NotInteractable(
            f"The server can't tell {ref} ({element.role} {element.name[:200]!r}) from similar "
            "elements, and could act on the wrong element.",
            "Use evaluate for this element.",
            ref=ref,
        )
    return target


class Drawn(NamedTuple):
    text: str
    """The text, between page marks."""
    left_out: int
    """How many lines are missing at the end."""
    refs: dict[str, dict[str, Any]]
    """The refs in the text, for programs."""


def drawn(page: Page, tab_id: str, refs: Refs, max_chars: int | None) -> Drawn:
    """Render the outline of a tab's page with our refs."""
    lines: list[str] = []
    by_ref: dict[str, dict[str, Any]] = {}
    size = 0
    for number, line in enumerate(page.lines):
        ref = refs.assign(tab_id, line.element) if line.element is not None else ""
        text = line.drawn(ref)
        size += len(text) + 1
        if max_chars is not None and size > max_chars:
            return Drawn(fence(lines), len(page.lines) - number, by_ref)
        lines.append(text)
        if line.element is not None:
            by_ref[ref] = {
                "role": line.element.role,
                "name": line.element.name,
                "nth": line.element.nth,
                "frame_id": None,
                "backendDOMNodeId": None,
            }
    return Drawn(fence(lines), 0, by_ref)
