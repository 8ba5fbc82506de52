"""Outlines with a filter or a maximum depth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.outlines import outlines

from tabwarden.page.snapshot.filtering import Filter, filtered, outer_levels
from tabwarden.page.snapshot.folding import folded
from tabwarden.page.text import Line, Lines

SHOP = [
    Line(0, "heading", 'heading "Shop" level=1', (), True),
    Line(0, "navigation", "navigation", (), True),
    Line(1, "link", 'link "Home" [ref=e1] url="/"', ("e1",), True),
    Line(0, "main", "main", (), True),
    Line(1, "text", 'text "Welcome to the shop"', (), True),
    Line(1, "heading", 'heading "Teas" level=2'),
    Line(1, "list", 'list "Offers"'),
    Line(2, "listitem", "listitem"),
    Line(3, "text", 'text "Green" | "$3"'),
    Line(3, "button", 'button "Buy" [ref=e2]', ("e2",)),
    Line(2, "listitem", "listitem"),
    Line(3, "text", 'text "Black" | "$4"'),
    Line(3, "button", 'button "Buy" [ref=e3]', ("e3",)),
    Line(1, "text", 'text "Delivery in two days"'),
    Line(1, "button", 'button "Pay" [ref=e4]', ("e4",)),
]


def shown(lines: Lines) -> list[str]:
    return [line.as_text() for line in lines]


def test_visible_filter_keeps_the_lines_in_the_viewport_and_their_ancestors() -> None:
    lines, note = filtered(Lines.of(SHOP), "visible")
    assert shown(lines) == [
        '- heading "Shop" level=1',
        "- navigation",
        '  - link "Home" [ref=e1] url="/"',
        "- main",
        '  - text "Welcome to the shop"',
    ]
    assert note.startswith("5 of 15 lines are in the viewport")


def test_interactive_filter_keeps_what_tells_equal_controls_apart() -> None:
    lines, note = filtered(Lines.of(SHOP), "interactive")
    assert shown(lines) == [
        '- heading "Shop" level=1',
        '- link "Home" [ref=e1] url="/"',
        '- heading "Teas" level=2',
        '- list "Offers"',
        '  - text "Green" | "$3"',
        '  - button "Buy" [ref=e2]',
        '  - text "Black" | "$4"',
        '  - button "Buy" [ref=e3]',
        '- button "Pay" [ref=e4]',
    ]
    assert note.startswith("9 of 15 lines have or describe")


def test_depth_counts_the_deeper_lines_where_they_are() -> None:
    lines, note = outer_levels(Lines.of(SHOP), 2)
    assert shown(lines)[-4:] == [
        '  - heading "Teas" level=2',
        '  - list "Offers" … 6 deeper',
        '  - text "Delivery in two days"',
        '  - button "Pay" [ref=e4]',
    ]
    assert note.startswith("6 lines are nested below level 2")
    assert "depth=4" in note
    whole, note = outer_levels(Lines.of(SHOP), 4)
    assert (shown(whole), note) == (shown(Lines.of(SHOP)), "")


@searched(200)
@given(outlines(), st.sampled_from(["visible", "interactive"]))
def test_filters_keep_every_wanted_line_in_page_order(lines: list[Line], kind: Filter) -> None:
    columns = Lines.of(lines)
    kept, note = filtered(columns, kind)
    wanted = {line.text for line in lines if (line.in_view if kind == "visible" else line.refs)}
    texts = iter([line.text for line in lines])
    assert all(line.text in texts for line in kept)  # in the same order
    assert wanted <= {line.text for line in kept}
    assert note.startswith(f"{len(kept)} of {len(lines)} lines")
    if kind == "interactive":
        assert kept.refs() == columns.refs()


@searched(200)
@given(outlines(), st.integers(1, 5))
def test_depth_omits_exactly_the_deeper_lines(lines: list[Line], depth: int) -> None:
    kept, note = outer_levels(Lines.of(lines), depth)
    outer = min((line.depth for line in lines), default=0)
    assert [line.depth for line in kept] == [
        line.depth for line in lines if line.depth < outer + depth
    ]
    assert bool(note) == (len(kept) < len(lines))
    assert note == "" or note.startswith(f"{len(lines) - len(kept)} line")


@pytest.mark.parametrize("kind", ["visible", "interactive"])
def test_filters_still_fold_what_is_behind_a_dialog(kind: Filter) -> None:
    front = [
        Line(0, "dialog", 'dialog "Delete?" [ref=e1] modal', ("e1",), True),
        Line(1, "text", 'text "It is gone then"'),
        Line(1, "button", 'button "Yes" [ref=e2]', ("e2",), True),
        Line(0, "note", "(2 elements behind dialog e1)", (), True),
    ]
    behind = [
        Line(0, "list", "list", (), True),
        Line(1, "button", 'button "Delete" [ref=e3]', ("e3",), True),
        Line(1, "text", 'text "Nothing"'),
        Line(1, "button", 'button "Add" [ref=e4]', ("e4",), True),
    ]
    lines = Lines.of([*front, *behind])
    lines.behind = [(4, 8)]
    kept, _ = filtered(lines, kind)
    assert folded(kept, 10_000, lambda start, end: f"m{start}-{end}").text[-1] == (
        f"- (2 elements behind dialog e1) more=m{len(kept) - (3 if kind == 'visible' else 2)}"
        f"-{len(kept)}"
    )
    shallow, _ = outer_levels(lines, 1)
    assert shallow.behind == [(2, 3)]


@pytest.mark.threat
def test_page_text_cannot_imitate_the_count_of_deeper_lines() -> None:
    lines = Lines.of([Line(0, "list", 'list "x\\" … 9 deeper"'), Line(1, "text", 'text "y"')])
    assert shown(outer_levels(lines, 1)[0]) == ['- list "x\\" … 9 deeper" … 1 deeper']
