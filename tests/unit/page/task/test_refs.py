"""The ref book: which element a number refers to, after rerenders, removals and selectors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwarden.errors import InvalidArgument, UnknownRef
from tabwarden.page.task import refs as refs_module
from tabwarden.page.task.refs import Place, RefBook, refs_json, stale


def given_ref(book: RefBook, local_id: int, name: str = "Buy", world: str = "w1") -> str:
    return book.assign(world, local_id, role="button", name=name, tab_id="t1", frame_id="F")


def test_ref_book_keeps_an_elements_number_and_its_latest_name() -> None:
    book = RefBook()
    assert [given_ref(book, 1), given_ref(book, 2), given_ref(book, 1, "Bought")] == [
        "e1",
        "e2",
        "e1",
    ]
    assert book.find("[ref=e1]").name == "Bought"
    assert given_ref(book, 1, world="w2") == "e3"


def test_moved_ref_refers_to_the_new_element_and_the_old_element_gets_a_new_number() -> None:
    book = RefBook()
    ref = book.find(given_ref(book, 1))
    book.learn(ref, 7)
    assert book.now(ref).backend_node_id == 7
    moved = book.move(book.now(ref), 5)
    assert (moved.ref, moved.local_id, moved.backend_node_id) == ("e1", 5, None)
    assert book.find("e1") == moved
    assert given_ref(book, 5) == "e1"
    assert given_ref(book, 1) == "e2"
    assert book.find("e1").local_id == 5
    book.learn(ref, 9)  # facts about the old element are not reported for the new one
    assert book.find("e1").backend_node_id is None


def test_ref_moved_to_an_element_with_a_ref_becomes_its_alias() -> None:
    book = RefBook()
    old, new = book.find(given_ref(book, 1)), given_ref(book, 2)
    book.move(old, 2)
    assert given_ref(book, 2) == new
    assert book.find(old.ref).local_id == book.find(new).local_id == 2


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["assign", "move"]), st.integers(1, 6), st.integers(1, 6)),
        max_size=40,
    )
)
def test_ref_book_assigns_no_number_twice(steps: list[tuple[str, int, int]]) -> None:
    """Except after healing, a number refers to one element forever."""
    book = RefBook()
    moved: dict[str, int] = {}
    names: dict[str, int] = {}
    highest = 0
    for what, one, other in steps:
        ref = given_ref(book, one)
        if ref in names:
            assert names[ref] == one
        else:
            assert int(ref[1:]) == highest + 1  # an unused number
        highest = max(highest, int(ref[1:]))
        names[ref] = one
        if what == "move" and one != other:
            book.move(book.find(ref), other)
            moved[ref] = names[ref] = other
        for known, element in names.items():
            assert book.find(known).local_id == element


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["w1", "w2"]),
            st.lists(
                st.tuples(st.integers(0, 9), st.sampled_from(["Buy", "Sell"])),
                max_size=8,
                unique_by=lambda one: one[0],
            ),
        ),
        max_size=8,
    ),
    st.sampled_from([9, 12, 100]),
)
def test_assign_all_returns_the_same_refs_as_assigning_one_by_one(
    walks: list[tuple[str, list[tuple[int, str]]]], kept: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refs_module, "_KEPT", kept)  # no single walk exceeds the limit
        at_once, one_by_one = RefBook(), RefBook()
        for world, elements in walks:
            ids, names = [one for one, _ in elements], [name for _, name in elements]
            place = Place("t1", "F", world)
            last = at_once.last
            numbers = at_once.assign_all(place, ids, ["button"] * len(ids), names)
            for local_id, name, number in zip(ids, names, numbers, strict=True):
                told = given_ref(one_by_one, local_id, name, world) if local_id else "e0"
                if kept == 100:  # else one-by-one may drop refs that appear later in the same walk
                    assert told == f"e{number}"
                ref = at_once.at(number)
                # The oldest are dropped, even if they have just been seen again.
                assert ref is not None or local_id == 0 or number <= at_once.last - kept
                assert ref is None or (ref.local_id, ref.name, ref.world_id) == (
                    local_id,
                    name,
                    world,
                )
            assert sorted(n for n in numbers if n > last) == [n for n in numbers if n > last]
        if kept == 100:
            for number in range(1, at_once.last + 1):
                assert at_once.at(number) == one_by_one.at(number)


def test_skipped_ref_numbers_refer_to_no_element() -> None:
    book = RefBook()
    assert given_ref(book, 1) == "e1"
    book.number_after(5)
    assert given_ref(book, 2) == "e6"
    assert [book.at(number) is not None for number in range(8)] == [
        number in (1, 6) for number in range(8)
    ]
    assert book.find("e1").local_id == 1


def test_removed_ref_is_unknown_and_its_number_is_not_reused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refs_module, "_KEPT", 2)
    book = RefBook()
    first = book.find(given_ref(book, 1))
    given_ref(book, 2)
    book.move(first, 2)  # e1 is an alias of e2
    given_ref(book, 3)
    with pytest.raises(UnknownRef):
        book.find("e1")
    assert given_ref(book, 2) == "e2"
    assert given_ref(book, 1) == "e4"


@pytest.mark.parametrize("text", ["", "12", "e", "e1 e2", "#e1", "e-1", "button", "css=", None])
def test_malformed_ref_error_identifies_the_field(text: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        RefBook().find(text)
    assert caught.value.data["field"] == "ref"


def test_nth_distinguishes_identical_elements_within_a_frame() -> None:
    book = RefBook()
    for local_id, name in enumerate(["Buy", "Sell", "Buy"], 1):
        given_ref(book, local_id, name)
    other = book.assign("w2", 1, role="button", name="Buy", tab_id="t1", frame_id="G")
    told = refs_json(book, [1, 2, 3, int(other[1:])], {1, 3, int(other[1:])})
    assert {ref: about["nth"] for ref, about in told.items()} == {"e1": 0, "e3": 1, other: 0}
    assert told["e3"] == {
        "role": "button",
        "name": "Buy",
        "nth": 1,
        "frame_id": "F",
        "backendDOMNodeId": None,
    }


def test_stale_ref_error_describes_the_element_and_suggests_similar_elements() -> None:
    book = RefBook()
    ref = book.find(given_ref(book, 1))
    error = stale(ref, "it is no longer in the page")
    assert error.message == "e1 was button 'Buy', and it is no longer in the page."
    assert "nearest" not in error.data
    near = {"ref": "e2", "role": "button", "name": "Buy now", "frame_id": "F", "beside": "Tea"}
    error = stale(ref, "it is no longer in the page", [near])
    assert "e2 button 'Buy now' beside 'Tea'" in error.hint
    assert error.data["nearest"] == [near]


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("Send now", "text=Send now"),
        ("#go", "css=#go"),
        (".card > a", "css=.card > a"),
        ("input[name=mail]", "css=input[name=mail]"),
        ("//button[1]", "xpath=//button[1]"),
        ("", "text=Send"),
    ],
)
def test_ref_book_suggests_a_selector_for_text_that_is_not_a_ref(text: str, selector: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        RefBook().find(text)
    assert str(refused.value.hint).endswith(f"use a selector: {selector}.")
