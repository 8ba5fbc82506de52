"""The effect line is short, is one line, and quotes the page."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.page.task import DocumentEffect, document_effect, effect_line
from tabwarden.supervisor.core.state.state import SupervisorState

STATE = SupervisorState()
COUNTS = st.integers(0, 5000)
EFFECTS = st.builds(
    dict,
    ms=COUNTS,
    came=COUNTS,
    went=COUNTS,
    text=st.text(),
    said=st.lists(st.text(), max_size=4),
    passed=st.lists(st.text(), max_size=4),
    states=st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(["", "button"]), "name": st.text(),
                               "state": st.just("now checked")}),
        max_size=4,
    ),
    looks=COUNTS,
    failed=st.lists(
        st.fixed_dictionaries({"url": st.text(), "status": st.integers(400, 599)}), max_size=4
    ),
    isMore=st.booleans(),
)  # fmt: skip


def line(*told: DocumentEffect, is_late: bool = False, tells_value: bool = False) -> str:
    return effect_line(STATE, STATE, "t1", told, is_late=is_late, tells_value=tells_value)


@given(st.lists(EFFECTS, max_size=3))
def test_any_effect_gives_one_short_line(told: list[dict[str, object]]) -> None:
    documents = [document_effect(msgspec.json.decode(msgspec.json.encode(one))) for one in told]
    text = line(*filter(None, documents))
    assert len(text) <= 400
    assert len(text.splitlines()) <= 1
    assert bool(text) == bool(told)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (DocumentEffect(ms=7), "nothing observed in 7 ms"),
        (DocumentEffect(ms=7, came=14, went=3), "14 lines appeared, 3 disappeared"),
        (DocumentEffect(ms=7, came=1, text="Hi"), '1 line appeared: "Hi"'),
        (DocumentEffect(ms=7, went=1), "1 line disappeared"),
        (DocumentEffect(ms=7, came=9, is_more=True), "9 lines or more appeared"),
        (DocumentEffect(ms=7, looks=2), "2 elements changed class or style"),
        (DocumentEffect(ms=7, looks=2, came=1), "1 line appeared"),
        (DocumentEffect(ms=7, said=("a\nb",)), 'announced "a\\nb"'),
        (DocumentEffect(ms=7, passed=("a\nb",)), 'appeared briefly: "a\\nb"'),
        (DocumentEffect(ms=7, said=("a",), passed=("a",)), 'announced "a"'),
    ],
)
def test_effect_line_describes_each_kind_of_effect(document: DocumentEffect, expected: str) -> None:
    assert line(document) == expected


def test_effect_counts_of_several_documents_add_up() -> None:
    assert line(DocumentEffect(ms=1, came=1), DocumentEffect(ms=2, went=2)) == (
        "1 line appeared, 2 disappeared"
    )


def test_effect_line_is_empty_without_a_document() -> None:
    assert line() == ""


def test_late_effect_line_is_empty_unless_content_changed() -> None:
    assert line(DocumentEffect(ms=7), is_late=True) == ""
    assert line(DocumentEffect(ms=7, looks=2), is_late=True) == ""


def test_effect_line_with_a_reported_value_contains_only_that_value() -> None:
    assert line(DocumentEffect(ms=7), tells_value=True) == "nothing else observed in 7 ms"
