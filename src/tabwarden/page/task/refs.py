"""Refs: the agent's names for elements. Ref numbers are never reused."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tabwarden.errors import InvalidArgument, StaleRef, UnknownRef

_FORMS = re.compile(r"^\[?(?:ref=)?@?e(\d{1,9})\]?\Z")
_CSS = re.compile(r"\A(?:[#.[]|[a-z][a-z0-9]* ?[#.[:>])")
_KEPT = 200_000
"""How many refs are stored. A ref that is no longer stored becomes unknown; it never means another
element."""


class Place(NamedTuple):
    """The tab, frame and document of some elements."""

    tab_id: str
    frame_id: str
    world_id: str
    """The isolated world (one per document) with the walker that numbers the elements."""


class Ref(msgspec.Struct, frozen=True, gc=False):
    """An element as it was when it got its ref."""

    ref: str
    role: str
    name: str
    tab_id: str
    frame_id: str
    world_id: str
    """The isolated world whose walker knows the element as ``local_id``."""
    local_id: int
    backend_node_id: int | None = None
    """CDP's ``backendNodeId``, if it was already requested."""
    selector: str = ""
    """The selector that the running call used to find the element."""


def _selector(text: object) -> str:
    """Return a selector that the caller may have intended."""
    words = " ".join(text.split())[:80] if isinstance(text, str) else ""
    by = "xpath" if words.startswith(("//", "(//")) else "css" if _CSS.match(words) else "text"
    return f"{by}={words or 'Send'}"


class _Rows:
    """The elements of all ref numbers, stored in columns. Row 0 contains the element with the
    number ``first``.

    Any thread may read, because ``places`` is the last column that is appended to, and rows are
    removed only in a copy.
    """

    __slots__ = ("first", "local_ids", "names", "places", "roles")

    def __init__(self, first: int) -> None:
        self.first = first
        self.local_ids: list[int] = []
        self.roles: list[str] = []
        self.names: list[str] = []
        self.places: list[Place | None] = []
        """The place of each number; None for a skipped number."""

    def add(
        self, place: Place | None, ids: Sequence[int], roles: Sequence[str], names: Sequence[str]
    ) -> None:
        self.local_ids += ids
        self.roles += roles
        self.names += names
        self.places += [place] * len(ids)

    def without(self, count: int) -> _Rows:
        """Return a copy without the first ``count`` rows."""
        rest = _Rows(self.first + count)
        rest.local_ids = self.local_ids[count:]
        rest.roles = self.roles[count:]
        rest.names = self.names[count:]
        rest.places = self.places[count:]
        return rest


class RefBook:
    """All refs of one task."""

    def __init__(self) -> None:
        self._rows = _Rows(1)
        self._nodes: dict[int, int] = {}
        """The known ``backendNodeId`` of each ref number's element."""
        self._numbers: defaultdict[str, dict[int, int]] = defaultdict(lambda: {0: 0})
        """The ref numbers, keyed by world and local ID. Local ID 0 has the number 0."""
        self._last = 0
        self._oldest = 1

    @property
    def last(self) -> int:
        """The highest number in use."""
        return self._last

    def number_after(self, last: int) -> None:
        """From now on, assign only numbers above ``last``, because lower numbers once meant other
        elements."""
        passed = last - self._last
        if passed <= 0:
            return
        self._last = last
        if self._rows.places:
            self._rows.add(None, [0] * passed, [""] * passed, [""] * passed)
        else:
            self._rows = _Rows(last + 1)
            self._oldest = last + 1

    def assign(
        self, world_id: str, local_id: int, *, role: str, name: str, tab_id: str, frame_id: str
    ) -> str:
        """Return an element's ref. The ref stays the same while the element is in its document."""
        place = Place(tab_id, frame_id, world_id)
        return f"e{self.assign_all(place, [local_id], [role], [name])[0]}"

    def assign_all(
        self, place: Place, local_ids: Sequence[int], roles: Sequence[str], names: Sequence[str]
    ) -> list[int]:
        """Return the ref numbers of a document's elements. A local id of 0 has the number 0."""
        known = self._numbers[place.world_id]
        assigned = list(map(known.get, local_ids))
        if None in assigned:
            self._add(place, known, [at for at, number in enumerate(assigned) if number is None],
                      local_ids, roles, names)  # fmt: skip
            assigned = list(map(known.get, local_ids))
        numbers: list[int] = assigned  # type: ignore[assignment] # no None is left
        rows = self._rows
        first, of_roles, of_names = rows.first, rows.roles, rows.names
        changed = [
            (number - first, role, name)
            for number, role, name in zip(numbers, roles, names, strict=True)
            if number and (of_names[number - first] != name or of_roles[number - first] != role)
        ]
        for row, role, name in changed:
            of_roles[row], of_names[row] = role, name
        self._forget()
        if len(known) == 1 and self._numbers.get(place.world_id) is known:
            del self._numbers[place.world_id]
        return numbers

    def _add(
        self,
        place: Place,
        known: dict[int, int],
        new: Sequence[int],
        local_ids: Sequence[int],
        roles: Sequence[str],
        names: Sequence[str],
    ) -> None:
        """Assign numbers to the elements whose indexes are in ``new``."""
        ids = [local_ids[at] for at in new]
        self._rows.add(place, ids, [roles[at] for at in new], [names[at] for at in new])
        known.update(zip(ids, range(self._last + 1, self._last + 1 + len(ids)), strict=True))
        self._last += len(ids)

    def _forget(self) -> None:
        oldest = self._last - _KEPT + 1
        while self._oldest < oldest:
            if (ref := self.at(self._oldest)) is not None:
                self._unname(self._oldest, ref)
                self._nodes.pop(self._oldest, None)
            self._oldest += 1
        dead = self._oldest - self._rows.first
        if dead > _KEPT // 8:
            self._rows = self._rows.without(dead)

    def move(self, ref: Ref, local_id: int) -> Ref:
        """Make a ref point to the element that replaced the ref's element when the page re-rendered
        it. If the new element already has a ref, both refs mean that element."""
        number = int(ref.ref[1:])
        self._unname(number, ref)
        self._numbers[ref.world_id].setdefault(local_id, number)
        self._nodes.pop(number, None)
        if self.at(number) is not None:
            self._rows.local_ids[number - self._rows.first] = local_id
        return msgspec.structs.replace(ref, local_id=local_id, backend_node_id=None)

    def learn(self, ref: Ref, backend_node_id: int) -> None:
        number = int(ref.ref[1:])
        if self.at(number) == ref:
            self._nodes[number] = backend_node_id

    def _unname(self, number: int, ref: Ref) -> None:
        """Detach a number from its element. If the element reappears, it gets a new number."""
        numbers = self._numbers.get(ref.world_id, {})
        if numbers.get(ref.local_id) == number:
            del numbers[ref.local_id]
            if len(numbers) == 1:
                del self._numbers[ref.world_id]

    def now(self, ref: Ref) -> Ref:
        """Return the current version of a ref, because the ref may now refer to another element."""
        current = self.at(int(ref.ref[1:])) or ref
        return msgspec.structs.replace(current, selector=ref.selector) if ref.selector else current

    def at(self, number: int) -> Ref | None:
        """Return the ref with this number, or None if it is unknown."""
        rows = self._rows
        row = number - rows.first
        if number < self._oldest or not 0 <= row < len(rows.places):
            return None
        place = rows.places[row]
        if place is None:
            return None
        role, name, local_id = rows.roles[row], rows.names[row], rows.local_ids[row]
        return Ref(f"e{number}", role, name, *place, local_id, self._nodes.get(number))

    def said_of(self, number: int) -> tuple[str, str, str] | None:
        """Return the frame, role and name of the element with a number."""
        rows = self._rows
        row = number - rows.first
        if number < self._oldest or not 0 <= row < len(rows.places):
            return None
        place = rows.places[row]
        return (place.frame_id, rows.roles[row], rows.names[row]) if place is not None else None

    def node_of(self, number: int) -> int | None:
        return self._nodes.get(number)

    def known(self, text: object) -> Ref | None:
        """Return the ref that ``text`` identifies, or None. Thread-safe."""
        form = _FORMS.match(text.strip()) if isinstance(text, str) else None
        return self.at(int(form[1])) if form is not None else None

    def find(self, text: str) -> Ref:
        """Return the ref for a text such as ``e12``, ``@e12``, ``ref=e12`` or ``[ref=e12]``.

        Raises:
            InvalidArgument: ``text`` does not look like a ref. UnknownRef: no snapshot has the ref.
        """
        form = _FORMS.match(text.strip()) if isinstance(text, str) else None
        if form is None:
            raise InvalidArgument(
                f"{text!r} is not a ref. A ref looks like 'e12'.",
                f"Take a snapshot and use one of its refs, or use a selector: {_selector(text)}.",
                field="ref",
            )
        ref = self.at(int(form[1]))
        if ref is None:
            raise UnknownRef(
                f"No snapshot has the ref 'e{form[1]}'.",
                "Take a snapshot and use one of its refs.",
                ref=f"e{form[1]}",
            )
        return ref


def stale(ref: Ref, why: str, near: Sequence[Mapping[str, Any]] = ()) -> StaleRef:
    """Return the error for a ref whose element is gone. The error describes the element and similar
    elements."""
    listed = "; ".join(_described(one) for one in near)
    return StaleRef(
        f"{ref.ref} was {ref.role} {ref.name[:200]!r}, and {why}.",
        f"The most similar elements are now: {listed}. Use one of them, or take a new snapshot."
        if listed
        else "Take a new snapshot and use its refs.",
        ref=ref.ref,
        role=ref.role,
        name=ref.name,
        frame_id=ref.frame_id,
        **({"nearest": list(near)} if near else {}),
    )


def _described(one: Mapping[str, Any]) -> str:
    beside = f" beside {one['beside'][:80]!r}" if one.get("beside") else ""
    return f"{one['ref']} {one['role']} {one['name'][:80]!r}{beside}"


def refs_json(
    book: RefBook, refs: Iterable[int], shown: Collection[int]
) -> dict[str, dict[str, Any]]:
    """Describe an outline's ``shown`` refs for programs, in the order of ``refs``.

    ``nth`` counts from 0 among the elements with the same role and name in a frame.
    ``backendDOMNodeId`` is None unless it was already requested.
    """
    counts: dict[tuple[str, str, str], int] = {}
    result: dict[str, dict[str, Any]] = {}
    if not shown:
        return result
    for number in refs:
        alike = book.said_of(number)
        if alike is None:
            continue
        nth = counts[alike] = counts.get(alike, -1) + 1
        if number not in shown:
            continue
        frame_id, role, name = alike
        result[f"e{number}"] = {
            "role": role,
            "name": name,
            "nth": nth,
            "frame_id": frame_id,
            "backendDOMNodeId": book.node_of(number),
        }
        if len(result) == len(shown):  # most of the shown refs are the first among thousands
            break
    return result
