"""An outline within its limit: which lines are shown, and how omitted ones are described."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.outlines import outlines

from tabwarden.page.snapshot.folding import Folded, folded
from tabwarden.page.text.untrusted_text import Line, ranges


class Shop:
    """``count`` rows of a button and a link, between a heading and a search box."""

    def __init__(self, count: int, in_view: range = range(0)) -> None:
        self.lines = [Line(0, "heading", 'heading "Shop" level=1')]
        for n in range(count):
            seen = n in in_view
            refs = (f"e{2 * n + 1}", f"e{2 * n + 2}")
            self.lines += [
                Line(0, "listitem", "listitem", (), seen),
                Line(1, "text", f'text "Tea number {n}"', (), seen),
                Line(1, "button", f'button "Buy {n}" [ref={refs[0]}]', refs[:1], seen),
                Line(1, "link", f'link "Details {n}" [ref={refs[1]}] url="/{n}"', refs[1:], seen),
            ]
        self.lines.append(Line(0, "searchbox", 'searchbox "Find" [ref=e9999]', ("e9999",)))


def fold(lines: Sequence[Line], max_chars: int | None) -> tuple[Folded, dict[str, list[Line]]]:
    """The shown lines, and the lines that each cursor returns."""
    parts: dict[str, list[Line]] = {}

    def cursor(start: int, end: int) -> str:
        name = f"m{len(parts) + 1}"
        parts[name] = list(lines[start:end])
        return name

    return folded(lines, max_chars, cursor), parts


def refs_in_ranges(text: str) -> set[str]:
    found: set[str] = set()
    for first, last in re.findall(r"[\[ ]e(\d+)(?:-e(\d+))?(?=[,\]]| and)", text):
        found |= {f"e{n}" for n in range(int(first), int(last or first) + 1)}
    return found


@searched(200)
@given(outlines(), st.integers(200, 6_000))
def test_folding_shows_every_element_or_lists_the_part_that_contains_it(
    lines: list[Line], max_chars: int
) -> None:
    result, parts = fold(lines, max_chars)
    text = "\n".join(result.text)
    assert len(text) <= max_chars
    shown = {ref for line in result.shown for ref in line.refs}
    for name, part in parts.items():
        (told,) = [line for line in result.text if line.endswith(f" more={name}")]
        within = {ref for line in part for ref in line.refs}
        assert not within & shown
        # A range contains only the elements of its part.
        assert refs_in_ranges(told) <= within
        shown |= within
    assert shown == {ref for line in lines for ref in line.refs}
    assert result.left_out == sum(len(part) for part in parts.values())


@searched(200)
@given(outlines(), st.integers(200, 6_000))
def test_folding_shows_lines_in_page_order_with_all_their_ancestors(
    lines: list[Line], max_chars: int
) -> None:
    result, parts = fold(lines, max_chars)
    shown = {id(line) for line in result.shown}
    assert [line for line in lines if id(line) in shown] == list(result.shown)
    path: list[Line] = []
    for line in lines:
        path = [one for one in path if one.depth < line.depth]
        if id(line) in shown:
            assert all(id(one) in shown for one in path)
        path.append(line)
    assert len(result.text) == len(shown) + len(parts)


def test_folding_does_not_change_an_outline_within_the_limit() -> None:
    lines = Shop(20).lines
    result, parts = fold(lines, 4_000)
    assert result.text == [line.as_text() for line in lines]
    assert not parts


def test_folding_without_a_limit_shows_every_line() -> None:
    result, parts = fold(Shop(3_000).lines, None)
    assert len(result.text) == 12_002
    assert not parts


def test_folding_prefers_the_viewport_then_unique_lines_then_whole_items() -> None:
    result, parts = fold(Shop(500, in_view=range(200, 204)).lines, 2_000)
    text = "\n".join(result.text)
    for shown in ('heading "Shop"', '"Find"', '"Tea number 200"', '"Buy 203"', '"Tea number 5"'):
        assert shown in text
    assert '"Buy 300"' not in text
    assert result.text[-1] == '- searchbox "Find" [ref=e9999]'
    assert len(parts) == 2
    # An entry is shown with all its content or not at all.
    for number in range(3, 500):
        assert (f'"Tea number {number}"' in text) == (f'"Buy {number}"' in text)


def test_folding_describes_an_omitted_part_by_its_first_item_and_its_refs() -> None:
    result, parts = fold(Shop(500).lines, 3_000)
    (name,) = parts
    (told,) = [line for line in result.text if "more=" in line]
    found = re.fullmatch(
        r'- … (\d+) more like this: listitem > text "Tea number (\d+)", button "Buy \2", '
        r'link "Details \2" \[e(\d+)-e1000\] more=m1',
        told,
    )
    assert found is not None, told
    count, first, ref = (int(one) for one in found.groups())
    assert count == 500 - first
    assert ref == 2 * first + 1
    assert parts[name][0].role == "listitem"


def test_folding_describes_a_mixed_part_by_the_roles_in_it() -> None:
    lines = [Line(0, "main", "main")]
    for n in range(100):
        lines.append(Line(1, "text", f'text "{"word " * 20}{n}"'))
        lines.append(Line(1, "heading", f'heading "Part {n}" level=2'))
    result, _ = fold(lines, 2_500)
    assert any(re.search(r"… \d+ lines: \d+ text", line) for line in result.text)


def test_folding_truncates_a_long_text_and_says_how_much_is_missing() -> None:
    lines = [Line(0, "text", f'text "{"x" * 50_000}"', (), True)]
    result, parts = fold(lines, 1_000)
    assert re.fullmatch(r'- text "x+…" \(\+\d+ characters\)', result.text[0])
    assert not parts


def test_folding_does_not_truncate_inside_an_escape_sequence() -> None:
    lines = [Line(0, "text", 'text "' + "\\u202e" * 5_000 + '"', (), True)]
    for max_chars in range(400, 420):
        (text,) = fold(lines, max_chars)[0].text
        assert re.fullmatch(r'- text "(\\u202e)+…" \(\+\d+ characters\)', text)


@pytest.mark.parametrize("max_chars", [200, 500, 5_000])
def test_folding_keeps_ten_thousand_sibling_lines_within_the_limit(max_chars: int) -> None:
    lines = [Line(0, "button", f'button "B" [ref=e{n}]', (f"e{n}",)) for n in range(1, 10_001)]
    result, parts = fold(lines, max_chars)
    assert len("\n".join(result.text)) <= max_chars
    (part,) = parts.values()
    assert result.text[-1].endswith(f"[{part[0].refs[0]}-e10000] more=m1")


def test_folding_keeps_deep_nesting_within_the_limit() -> None:
    lines = [Line(n, "list", "list") for n in range(900)]
    lines.append(Line(900, "button", 'button "B" [ref=e1]', ("e1",)))
    result, parts = fold(lines, 2_000)
    assert len("\n".join(result.text)) <= 2_000
    assert len(parts) == 1


def test_ref_ranges_contain_exactly_the_given_refs() -> None:
    assert ranges([5, 3, 4, 9, 1]) == ["e1", "e3-e5", "e9"]
    assert ranges([]) == []
