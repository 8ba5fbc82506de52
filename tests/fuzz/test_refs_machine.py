"""Refs beside a model: a number always refers to one element."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from support.fuzzing import searched

from tabwarden.errors import InvalidArgument, StaleRef, UnknownRef
from tabwarden.page.task import refs as refs_module
from tabwarden.page.task.refs import RefBook, refs_json, stale

WORLDS = st.sampled_from(["w1", "w2"])
ELEMENTS = st.integers(1, 4)
NAMES = st.sampled_from(["Buy", "Sell", ""])
NUMBERS = st.integers(0, 40)

Element = tuple[str, int]


class Refs(RuleBasedStateMachine):
    """``means`` is the model: each number's element and its last name."""

    def __init__(self) -> None:
        super().__init__()
        self.book = RefBook()
        self.means: dict[int, Element] = {}
        self.called: dict[int, str] = {}
        self.number_of: dict[Element, int] = {}
        self.last = 0

    @initialize(last=st.sampled_from([0, 0, 17]))
    def begins_after_another_book(self, last: int) -> None:
        self.book.number_after(last)
        self.last = last

    @rule(world=WORLDS, element=ELEMENTS, name=NAMES)
    def shown(self, world: str, element: int, name: str) -> None:
        ref = self.book.assign(
            world, element, role="button", name=name, tab_id="t1", frame_id=world.upper()
        )
        number = int(ref.removeprefix("e"))
        known = self.number_of.get((world, element))
        if known is None:
            assert number == self.last + 1, "a number that something else had"
            self.last = number
            self.means[number] = world, element
            self.number_of[world, element] = number
        else:
            assert number == known
        self.called[number] = name

    @rule(number=NUMBERS, element=ELEMENTS)
    def rendered_again(self, number: int, element: int) -> None:
        if number not in self.means:
            return
        world, old = self.means[number]
        if old == element:
            return
        moved = self.book.move(self.book.find(f"e{number}"), element)
        assert (moved.ref, moved.backend_node_id) == (f"e{number}", None)
        if self.number_of.get((world, old)) == number:
            del self.number_of[world, old]
        self.number_of.setdefault((world, element), number)
        self.means[number] = world, element

    @rule(number=NUMBERS, node=st.integers(1, 9))
    def learned(self, number: int, node: int) -> None:
        if number in self.means:
            before = self.book.find(f"e{number}")
            self.book.learn(before, node)
            self.book.learn(before, node + 1)  # if it was new, ``before`` is not the current state
            known = self.book.now(before).backend_node_id
            assert known == (node + 1 if before.backend_node_id == node else node)

    @rule(number=NUMBERS, form=st.sampled_from(["e{}", "@e{}", "[ref=e{}]", " ref=e{} ", "e0{}"]))
    def asked(self, number: int, form: str) -> None:
        text = form.format(number)
        if number in self.means:
            assert self.book.find(text).ref == f"e{number}"
        else:
            with pytest.raises(UnknownRef):
                self.book.find(text)

    @rule(text=st.text(max_size=8))
    def asked_for_anything(self, text: str) -> None:
        try:
            found = self.book.find(text)
        except (InvalidArgument, UnknownRef):
            return
        assert int(found.ref[1:]) in self.means

    @invariant()
    def each_number_names_what_the_model_says(self) -> None:
        for number, (world, element) in self.means.items():
            ref = self.book.find(f"e{number}")
            assert (ref.world_id, ref.local_id) == (world, element)
            assert ref.name == self.called[number]
            assert isinstance(stale(ref, "it is gone"), StaleRef)

    @invariant()
    def programs_are_told_of_each_in_its_place(self) -> None:
        numbers = sorted(self.means)
        told = refs_json(self.book, numbers, frozenset(numbers))
        assert list(told) == [f"e{number}" for number in numbers]
        places = [(one["frame_id"], one["role"], one["name"], one["nth"]) for one in told.values()]
        assert len(set(places)) == len(places)


class Forgetful(Refs):
    """The same in a small ref book: a removed ref is unknown, and never another element's."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = refs_module._KEPT
        refs_module._KEPT = 3

    def teardown(self) -> None:
        refs_module._KEPT = self.kept

    @rule(world=WORLDS, element=ELEMENTS, name=NAMES)
    def shown(self, world: str, element: int, name: str) -> None:
        super().shown(world, element, name)
        while len(self.means) > 3:
            oldest = min(self.means)
            gone = self.means.pop(oldest)
            if self.number_of.get(gone) == oldest:
                del self.number_of[gone]


TestRefs = Refs.TestCase
TestRefs.settings = searched(30, steps=40)
TestForgetful = Forgetful.TestCase
TestForgetful.settings = searched(30, steps=40)
