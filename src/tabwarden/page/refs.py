"""Refs: what the agent calls an element, and what that was. Numbers are never reused."""

from __future__ import annotations

import re
from collections import OrderedDict

import msgspec

from tabwarden.errors import InvalidArgument, StaleRef, UnknownRef

__all__ = ["Ref", "RefBook", "stale"]

_FORMS = re.compile(r"^\[?(?:ref=)?@?e(\d{1,9})\]?$")
_KEPT = 200_000
"""Refs that are remembered. Older ones are unknown then, never somebody else's."""


class Ref(msgspec.Struct, frozen=True, kw_only=True):
    """An element as it was when the agent was given its ref."""

    ref: str
    role: str
    name: str
    tab_id: str
    frame_id: str
    world_id: str
    """The isolated world (one a document) whose walker knows the element as ``local_id``."""
    local_id: int


class RefBook:
    """All refs that one task was given."""

    def __init__(self) -> None:
        self._refs: OrderedDict[int, Ref] = OrderedDict()
        self._numbers: dict[tuple[str, int], int] = {}
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
        number = self._numbers.get((world_id, local_id))
        if number is None:
            self._last += 1
            number = self._numbers[world_id, local_id] = self._last
        elif (known := self._refs[number]).role == role and known.name == name:
            return known.ref
        ref = Ref(
            ref=f"e{number}",
            role=role,
            name=name,
            tab_id=tab_id,
            frame_id=frame_id,
            world_id=world_id,
            local_id=local_id,
        )
        self._refs[number] = ref
        if len(self._refs) > _KEPT:
            _, oldest = self._refs.popitem(last=False)
            del self._numbers[oldest.world_id, oldest.local_id]
        return ref.ref

    def given(self, ref: str) -> Ref | None:
        """A ref that ``assign`` has given; None when it is forgotten already."""
        return self._refs.get(int(ref[1:]))

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


def stale(ref: Ref, why: str) -> StaleRef:
    """The error for a ref whose element is gone; it says what that was."""
    return StaleRef(
        f"{ref.ref} was {ref.role} {ref.name[:200]!r}, and {why}.",
        "Take a new snapshot and use its refs.",
        ref=ref.ref,
        role=ref.role,
        name=ref.name,
        frame_id=ref.frame_id,
    )
