"""Refs: what the agent calls an element, and what that was. Numbers are never reused."""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
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


class RefBook:
    """All refs that one task was given."""

    def __init__(self) -> None:
        self._refs: OrderedDict[int, Ref] = OrderedDict()
        self._numbers: defaultdict[str, dict[int, int]] = defaultdict(dict)
        """By world, then by the walker's number."""
        self._last = 0

    @property
    def last(self) -> int:
        """The highest number that was given."""
        return self._last

    def number_after(self, last: int) -> None:
        """Give only numbers above ``last``: those up to it named other elements."""
        self._last = max(self._last, last)

    def assign(
        self, world_id: str, local_id: int, *, role: str, name: str, tab_id: str, frame_id: str
    ) -> str:
        """The ref of an element: the same for as long as it lives in its document."""
        place = Place(tab_id, frame_id, world_id)
        return self.assign_all(place, [(local_id, role, name)])[0]

    def assign_all(self, place: Place, elements: Iterable[tuple[int, str, str]]) -> list[str]:
        """The refs of elements of one document, ``(local_id, role, name)`` each; "" where the id
        is 0.
        """
        refs, numbers = self._refs, self._numbers[place.world_id]
        given: list[str] = []
        for local_id, role, name in elements:
            if not local_id:
                given.append("")
                continue
            number = numbers.get(local_id)
            if number is None:
                self._last = number = numbers[local_id] = self._last + 1
                ref = refs[number] = Ref(f"e{number}", role, name, *place, local_id)
                if len(refs) > _KEPT:
                    self._unname(*refs.popitem(last=False))
            else:
                ref = refs[number]
                if ref.name != name or ref.role != role:
                    refs[number] = msgspec.structs.replace(ref, role=role, name=name)
            given.append(ref.ref)
        if not numbers:
            del self._numbers[place.world_id]
        return given

    def move(self, ref: Ref, local_id: int) -> Ref:
        """Let a ref name another element of its document: what its own was rendered again as.

        An element that has a number keeps it; both name it then.
        """
        number = int(ref.ref[1:])
        moved = msgspec.structs.replace(ref, local_id=local_id, backend_node_id=None)
        self._unname(number, ref)
        self._numbers[ref.world_id].setdefault(local_id, number)
        self._refs[number] = moved
        return moved

    def learn(self, ref: Ref, backend_node_id: int) -> None:
        """Remember the ``backendNodeId`` of a ref's element."""
        number = int(ref.ref[1:])
        if self._refs.get(number) == ref:
            self._refs[number] = msgspec.structs.replace(ref, backend_node_id=backend_node_id)

    def _unname(self, number: int, ref: Ref) -> None:
        """No element has this number from now on: should its own come back, it gets a new one."""
        numbers = self._numbers.get(ref.world_id, {})
        if numbers.get(ref.local_id) == number:
            del numbers[ref.local_id]
            if not numbers:
                del self._numbers[ref.world_id]

    def now(self, ref: Ref) -> Ref:
        """A ref as it is now: it may name another element since it was looked up."""
        return self._refs.get(int(ref.ref[1:]), ref)

    def given(self, ref: str) -> Ref | None:
        """A ref that ``assign`` has given; None when it is forgotten already."""
        return self._refs.get(int(ref[1:]))

    def known(self, text: object) -> Ref | None:
        """The ref that the agent names, if it is one that was given; from any thread."""
        form = _FORMS.match(text.strip()) if isinstance(text, str) else None
        return self._refs.get(int(form[1])) if form is not None else None

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
        ref = self._refs.get(int(form[1]))
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
    book: RefBook, refs: Iterable[str], shown: Collection[str]
) -> dict[str, dict[str, Any]]:
    """What programs are told of those refs of an outline that are shown, in its order.

    ``nth``: which it is of those of its role and name in its frame, from 0. ``backendDOMNodeId``:
    None until something has asked for it.
    """
    counts: dict[tuple[str, str, str], int] = {}
    told: dict[str, dict[str, Any]] = {}
    for ref in refs:
        found = book.given(ref)
        if found is None:
            continue
        alike = (found.frame_id, found.role, found.name)
        nth = counts[alike] = counts.get(alike, -1) + 1
        if ref not in shown:
            continue
        told[ref] = {
            "role": found.role,
            "name": found.name,
            "nth": nth,
            "frame_id": found.frame_id,
            "backendDOMNodeId": found.backend_node_id,
        }
        if len(told) == len(shown):  # of thousands, those that are shown mostly come first
            break
    return told
