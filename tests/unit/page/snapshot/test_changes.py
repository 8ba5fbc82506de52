"""The diff of two outlines."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.outlines import outlines

from tabwarden.page.snapshot.changes import Changes, changes
from tabwarden.page.text.untrusted_text import Line, words


def read(text: str) -> list[Line]:
    """A random outline as lines."""
    lines = []
    for drawn in text.strip("\n").splitlines():
        depth = (len(drawn) - len(drawn.lstrip())) // 2
        said = drawn.strip().removeprefix("- ")
        refs = tuple(word[5:-1] for word in words(said) if word.startswith("[ref="))
        lines.append(Line(depth, said.split()[0].rstrip(":"), said, refs))
    return lines


def told(before: str, after: str) -> list[str]:
    return drawn(changes(read(before), read(after)))


def drawn(changed: Changes) -> list[str]:
    return [*(line.as_text() for line in changed.lines), *changed.notes]


SHOP = """
- main
  - heading "Teas" level=1
  - list "Teas"
    - link "Green" [ref=e1] url="/green"
    - link "Black" [ref=e2] url="/black"
    - link "White" [ref=e3] url="/white"
  - heading "Cart" level=2
  - text "0 items"
  - button "Pay" [ref=e4] disabled
- contentinfo
  - text "2026"
"""


def test_equal_outlines_have_no_changes() -> None:
    assert told(SHOP, SHOP) == []


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ('"0 items"', '"1 item"', ["@ main > heading \"Cart\"", '~ text "1 item" (was "0 items")']),
        (" disabled", "", ["@ main > heading \"Cart\"", '~ button "Pay" [ref=e4] (was disabled)']),
        (
            '"Green" [ref=e1]',
            '"Green tea" [ref=e1] current=page',
            [
                '@ heading "Teas" > list "Teas"',
                '~ link "Green tea" [ref=e1] current=page url="/green" (was "Green")',
            ],
        ),
        (
            '    - link "Black" [ref=e2] url="/black"\n',
            "",
            ['@ heading "Teas" > list "Teas"', '- link "Black" (was e2)'],
        ),
        (
            '    - link "White"',
            '    - link "Red" [ref=e9]\n    - link "White"',
            ['@ heading "Teas" > list "Teas"', '+ link "Red" [ref=e9]'],
        ),
        (
            '- contentinfo\n  - text "2026"',
            "",
            ["- contentinfo and 1 line in it"],
        ),
    ],
)  # fmt: skip
def test_diff_shows_each_change_below_its_ancestors(old: str, new: str, lines: list[str]) -> None:
    after = SHOP.replace(old, new)
    assert told(SHOP, after) == lines


def test_diff_shows_a_new_element_with_its_content() -> None:
    after = SHOP.replace(
        "- contentinfo",
        '- dialog "Sure?" [ref=e9] modal\n  - text "Really?"\n  - button "Yes" [ref=e10]\n'
        "- contentinfo",
    )
    assert told(SHOP, after) == [
        '+ dialog "Sure?" [ref=e9] modal',
        '+   text "Really?"',
        '+   button "Yes" [ref=e10]',
    ]


def test_diff_shows_a_reordered_list_in_one_line() -> None:
    links = [f'  - link "Tea {n}" [ref=e{n}]' for n in range(1, 41)]
    mixed = random.Random(1).sample(links, 40)
    assert told("\n".join(['- list "Teas"', *links]), "\n".join(['- list "Teas"', *mixed])) == [
        '~ list "Teas" (now in another order)'
    ]


def test_diff_maps_old_refs_to_new_refs_of_a_rerendered_list() -> None:
    old = "\n".join(["- list", *(f'  - link "Tea {n}" [ref=e{n}]' for n in range(1, 41))])
    new = "\n".join(["- list", *(f'  - link "Tea {n}" [ref=e{n + 99}]' for n in range(1, 41))])
    assert told(old, new) == ["Redrawn with new refs but otherwise unchanged: e1-e40 -> e100-e139."]


def test_diff_does_not_match_identical_rerendered_elements_to_each_other() -> None:
    old = "\n".join(f'- button "Delete" [ref=e{n}]' for n in range(1, 5))
    new = "\n".join(f'- button "Delete" [ref=e{n}]' for n in range(11, 14))
    result = told(old, new)
    assert not any("Redrawn with" in line for line in result)
    assert sum(line.startswith("+") for line in result) == 3
    assert sum(line.startswith("-") for line in result) == 4


def test_diff_matches_rerendered_rows_by_their_content() -> None:
    def rows(names: Sequence[str], first: int) -> str:
        return "\n".join(
            f'- listitem\n  - text "{name}"\n  - button "Delete" [ref=e{first + n}]'
            for n, name in enumerate(names)
        )

    assert told(rows(["Tea", "Milk", "Salt"], 1), rows(["Tea", "Salt"], 11)) == [
        "- listitem and 2 lines in it (was e2)",
        "Redrawn with new refs but otherwise unchanged: e1 -> e11, e3 -> e12.",
    ]


def test_diff_shows_each_reused_row_of_a_scroller_as_changed() -> None:
    def rows(first: int) -> str:
        return "\n".join(f'- link "Row {first + n}" [ref=e{n + 1}]' for n in range(5))

    result = told(rows(0), rows(2))
    assert [line for line in result if not line.startswith("@")] == [
        f'~ link "Row {n + 2}" [ref=e{n + 1}] (was "Row {n}")' for n in range(5)
    ]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (['text "Flow 2"'], ['text "11/23/2026"', "button [ref=e2]"],
         ['- text "Flow 2"', '+ text "11/23/2026"', "+ button [ref=e2]"]),
        (['text "Flow 2"'], ['text "11/23/2026"'], ['~ text "11/23/2026" (was "Flow 2")']),
        (['text "5 items"'], ['text "1 item"', "button [ref=e2]"],
         ['~ text "1 item" (was "5 items")', "+ button [ref=e2]"]),
        (['heading "Tea" level=2'], ['text "Milk is out"', 'heading "Milk" level=2'],
         ['- heading "Tea"', '+ text "Milk is out"', '+ heading "Milk" level=2']),
    ],
)  # fmt: skip
def test_diff_pairs_lines_only_if_they_are_similar_or_at_the_same_position(
    old: list[str], new: list[str], lines: list[str]
) -> None:
    before, after = ("\n  - ".join(["- main", *some]) for some in (old, new))
    result = told(before, after)
    assert sorted(result) == sorted(["@ main", *lines])


def test_diff_shortens_the_old_text_of_a_line() -> None:
    def row(word: str) -> str:
        cells = " | ".join(f'"{word * 9} {n}"' for n in range(40))
        return f"- row: {cells} | button [ref=e1]"

    (line,) = told(row("tea"), row("milk"))
    was = line.partition(" (was ")[2]
    assert was.startswith('"teateatea') and was.endswith(" …)")  # noqa: PT018
    assert len(was) < 150


def test_diff_treats_page_text_that_looks_like_a_ref_as_text() -> None:
    assert told('- text "[ref=e1] as e1"', '- text "[ref=e2] as e2"') == [
        '~ text "[ref=e2] as e2" (was "[ref=e1] as e1")'
    ]


def mutated(lines: list[Line], seed: int) -> list[Line]:
    """The outline with some lines removed, added and changed."""
    rng = random.Random(seed)
    after: list[Line] = []
    for line in lines:
        fate = rng.random()
        if fate < 0.1 and not line.refs:
            line = Line(line.depth, line.role, f'{line.role} "new {rng.random()}"', ())
        if fate < 0.2:
            ref = f"e{90_000 + len(after)}"
            after.append(Line(line.depth, "button", f'button "B" [ref={ref}]', (ref,)))
        if not 0.2 < fate < 0.3:
            after.append(line)
    return after


@searched(200)
@given(outlines(), st.integers(0, 1_000_000))
def test_diff_mentions_each_new_lost_or_changed_ref(lines: list[Line], seed: int) -> None:
    after = mutated(lines, seed)
    result = changes(lines, after)
    text = "\n".join(line.as_text() for line in result.lines)
    before_refs = {ref: line.text for line in lines for ref in line.refs}
    after_refs = {ref: line.text for line in after for ref in line.refs}
    renewed = expand(" ".join(result.notes))
    for ref, said in after_refs.items():
        if ref not in before_refs:
            assert f"[ref={ref}]" in text or ref in renewed
        elif before_refs[ref] != said:
            assert f"[ref={ref}]" in text
    if any("more (take" in note for note in result.notes):
        return
    for ref in before_refs.keys() - after_refs.keys():
        assert ref in expand(text) or ref in renewed or ", ..." in text, ref


@searched(100)
@given(outlines())
def test_diff_of_any_outline_with_itself_is_empty(lines: list[Line]) -> None:
    assert changes(lines, list(lines)).lines == []


def expand(text: str) -> set[str]:
    found: set[str] = set()
    for first, last in re.findall(r"\be(\d+)(?:-e(\d+))?\b", text):
        found |= {f"e{n}" for n in range(int(first), int(last or first) + 1)}
    return found
