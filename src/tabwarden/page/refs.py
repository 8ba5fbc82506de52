"""Refs: what the agent calls an element, and what that was. Numbers are never reused."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tabwarden.errors import InvalidArgument, StaleRef, UnknownRef

__all__ = ["Ref", "RefBook", "refs_json", "stale"]

_FORMS = re.compile(r"^\[?(?:ref=)?@?e(\d{1,9})\]?\Z")
_KEPT = 200_000
"""Refs that are remembered. Older ones are unknown then, never somebody else's."""


class Place(NamedTuple):
    """Where elements stand that are given refs."""

    tab_id: str
    frame_id: str
    world_id: str
    """The isolated world (one a document) whose walker knows an element by its number."""


class Ref(msgspec.Struct, frozen=True, gc=False):
    """An element as it was when the agent was given its ref."""

    ref: str
    role: str
    name: str
    tab_id: str
    frame_id: str
    world_id: str
    """The isolated world whose walker knows the element as ``local_id``."""
    local_id: int
    backend_node_id: int | None = None
    """CDP's ``backendNodeId``, once something had to ask for it."""


class _Rows:
    """What each number was given for, a column each: row 0 is that of the number ``first``.

    Rows are only added, the place last, and rows forgotten in a copy: any thread may read.
    """

    __slots__ = ("first", "local_ids", "names", "places", "roles")

    def __init__(self, first: int) -> None:
        self.first = first
        self.local_ids: list[int] = []
        self.roles: list[str] = []
        self.names: list[str] = []
        self.places: list[Place | None] = []
        """None where a number was passed over."""

    def add(
        self, place: Place | None, ids: Sequence[int], roles: Sequence[str], names: Sequence[str]
    ) -> None:
        self.local_ids += ids
        self.roles += roles
        self.names += names
        self.places += [place] * len(ids)

    def without(self, count: int) -> _Rows:
        """Without the first of them."""
        rest = _Rows(self.first + count)
        rest.local_ids = self.local_ids[count:]
        rest.roles = self.roles[count:]
        rest.names = self.names[count:]
        rest.places = self.places[count:]
        return rest


class RefBook:
    """All refs that one task was given."""

    def __init__(self) -> None:
        self._rows = _Rows(1)
        self._nodes: dict[int, int] = {}
        """The ``backendNodeId`` of numbers, where it was asked."""
        self._numbers: defaultdict[str, dict[int, int]] = defaultdict(lambda: {0: 0})
        """By world, then by the walker's number; what has none there is given none."""
        self._last = 0
        self._oldest = 1

    @property
    def last(self) -> int:
        """The highest number that was given."""
        return self._last

    def number_after(self, last: int) -> None:
        """Give only numbers above ``last``: those up to it named other elements."""
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
        """The ref of an element: the same for as long as it lives in its document."""
        place = Place(tab_id, frame_id, world_id)
        return f"e{self.assign_all(place, [local_id], [role], [name])[0]}"

    def assign_all(
        self, place: Place, local_ids: Sequence[int], roles: Sequence[str], names: Sequence[str]
    ) -> list[int]:
        """The numbers of elements of one document, a column each of what they are; 0 where the
        id is 0.
        """
        known = self._numbers[place.world_id]
        given = list(map(known.get, local_ids))
        if None in given:
            self._add(place, known, [at for at, number in enumerate(given) if number is None],
                      local_ids, roles, names)  # fmt: skip
            given = list(map(known.get, local_ids))
        numbers: list[int] = given  # type: ignore[assignment] # all have one now
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
        """Give numbers to those at ``new``."""
        ids = [local_ids[at] for at in new]
        self._rows.add(place, ids, [roles[at] for at in new], [names[at] for at in new])
        known.update(zip(ids, range(self._last + 1, self._last + 1 + len(ids)), strict=True))
        self._last += len(ids)

    def _forget(self) -> None:
        """Forget the oldest, when there are too many."""
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
        """Let a ref name another element of its document: what its own was rendered again as.

        An element that has a number keeps it; both name it then.
        """
        number = int(ref.ref[1:])
        self._unname(number, ref)
        self._numbers[ref.world_id].setdefault(local_id, number)
        self._nodes.pop(number, None)
        if self.at(number) is not None:
            self._rows.local_ids[number - self._rows.first] = local_id
        return msgspec.structs.replace(ref, local_id=local_id, backend_node_id=None)

    def learn(self, ref: Ref, backend_node_id: int) -> None:
        """Remember the ``backendNodeId`` of a ref's element."""
        number = int(ref.ref[1:])
        if self.at(number) == ref:
            self._nodes[number] = backend_node_id

    def _unname(self, number: int, ref: Ref) -> None:
        """No element has this number from now on: should its own come back, it gets a new one."""
        numbers = self._numbers.get(ref.world_id, {})
        if numbers.get(ref.local_id) == number:
            del numbers[ref.local_id]
            if len(numbers) == 1:
                del self._numbers[ref.world_id]

    def now(self, ref: Ref) -> Ref:
        """A ref as it is now: it may name another element since it was looked up."""
        return self.at(int(ref.ref[1:])) or ref

    def at(self, number: int) -> Ref | None:
        """The ref of a number; None when it was not given, or is forgotten already."""
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
        """The frame, the role and the name of what a number was given for."""
        rows = self._rows
        row = number - rows.first
        if number < self._oldest or not 0 <= row < len(rows.places):
            return None
        place = rows.places[row]
        return (place.frame_id, rows.roles[row], rows.names[row]) if place is not None else None

    def node_of(self, number: int) -> int | None:
        """The ``backendNodeId`` of a number's element, if something has asked for it."""
        return self._nodes.get(number)

    def known(self, text: object) -> Ref | None:
        """The ref that the agent names, if it is one that was given; from any thread."""
        form = _FORMS.match(text.strip()) if isinstance(text, str) else None
        return self.at(int(form[1])) if form is not None else None

    def find(self, text: str) -> Ref:
        """The ref that the agent names: ``e12``, ``@e12``, ``ref=e12`` or ``[ref=e12]``.

        Raises:
            InvalidArgument: not the form of a ref.
            UnknownRef: no snapshot gave it.
        """
        form = _FORMS.match(text.strip()) if isinstance(text, str) else None
        if form is None:
            raise InvalidArgument(
                f"{text!r} is not a ref; a ref looks like 'e12'.",
                "Take a snapshot and use a ref that stands in it.",
                field="ref",
            )
        ref = self.at(int(form[1]))
        if ref is None:
            raise UnknownRef(
                f"No snapshot has given the ref 'e{form[1]}'.",
                "Take a snapshot and use a ref that stands in it.",
                ref=f"e{form[1]}",
            )
        return ref


def stale(ref: Ref, why: str, near: Sequence[Mapping[str, Any]] = ()) -> StaleRef:
    """The error for a ref whose element is gone; it says what that was, and what is like it."""
    listed = "; ".join(_shown(one) for one in near)
    return StaleRef(
        f"{ref.ref} was {ref.role} {ref.name[:200]!r}, and {why}.",
        f"The nearest there is now: {listed}. Use one of them, or take a new snapshot."
        if listed
        else "Take a new snapshot and use its refs.",
        ref=ref.ref,
        role=ref.role,
        name=ref.name,
        frame_id=ref.frame_id,
        **({"nearest": list(near)} if near else {}),
    )


def _shown(one: Mapping[str, Any]) -> str:
    beside = f" beside {one['beside'][:80]!r}" if one.get("beside") else ""
    return f"{one['ref']} {one['role']} {one['name'][:80]!r}{beside}"


def refs_json(
    book: RefBook, refs: Iterable[int], shown: Collection[int]
) -> dict[str, dict[str, Any]]:
    """What programs are told of those refs of an outline that are shown, in its order.

    ``nth``: which it is of those of its role and name in its frame, from 0. ``backendDOMNodeId``:
    None until something has asked for it.
    """
    counts: dict[tuple[str, str, str], int] = {}
    told: dict[str, dict[str, Any]] = {}
    if not shown:
        return told
    for number in refs:
        alike = book.said_of(number)
        if alike is None:
            continue
        nth = counts[alike] = counts.get(alike, -1) + 1
        if number not in shown:
            continue
        frame_id, role, name = alike
        told[f"e{number}"] = {
            "role": role,
            "name": name,
            "nth": nth,
            "frame_id": frame_id,
            "backendDOMNodeId": book.node_of(number),
        }
        if len(told) == len(shown):  # of thousands, those that are shown mostly come first
            break
    return told
