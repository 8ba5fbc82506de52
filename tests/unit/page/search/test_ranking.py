"""Ranking the elements of an outline by a description, for any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.outlines import outlines

from tabwarden.page.search.query_words import QueryWords, plain, stem
from tabwarden.page.search.ranking import Match, ranked
from tabwarden.page.text import Line, Lines, quoted

WORDS = st.sampled_from(
    "delete add cart blue shirts Anna's row the of search field button e-mail log in café x".split()
)
QUERIES = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=8).map(" ".join))


def buttons(*names: str) -> Lines:
    return Lines.of(
        [
            Line(0, "button", f"button {quoted(name)} [ref=e{at}]", (f"e{at}",))
            for at, name in enumerate(names, 1)
        ]
    )


def names(lines: Lines, query: str) -> list[str]:
    return [match.name for match in ranked(lines, query, 20)[0]]


@searched(300)
@given(outlines(), QUERIES, st.integers(1, 5))
def test_ranking_returns_refs_of_the_outline_best_first(
    lines: list[Line], query: str, most: int
) -> None:
    columns = Lines.of(lines)
    matches, total = ranked(columns, query, most)
    assert len(matches) == min(most, total)
    numbers = [match.number for match in matches]
    assert len(set(numbers)) == len(numbers)
    assert all(match.number in columns[match.at : match.at + 1].refs() for match in matches)
    scores = [match.score for match in matches]
    assert scores == sorted(scores, reverse=True)
    assert all(len(match.context) <= 80 for match in matches)


@searched(200)
@given(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), st.lists(WORDS, max_size=12))
def test_element_named_like_the_query_is_first(query: str, others: list[str]) -> None:
    words = QueryWords(query)
    if not words.needed:
        return
    lines = buttons(*[other for other in others if plain(other) != plain(query)], query)
    first = ranked(lines, query, 20)[0][0]
    assert words.in_text(first.name)[0] & words.needed == words.needed


@searched(100)
@given(outlines(), st.lists(WORDS, min_size=1, max_size=5).map(" ".join))
def test_upper_case_and_extra_words_that_say_nothing_change_no_result(
    lines: list[Line], query: str
) -> None:
    def same(matches: list[Match]) -> list[tuple[int, int]]:
        return [(match.number, match.at) for match in matches]

    columns = Lines.of(lines)
    expected = same(ranked(columns, query, 20)[0])
    assert same(ranked(columns, f"  {query.upper()}  ", 20)[0]) == expected


@pytest.mark.parametrize(
    ("names_on_page", "query", "expected"),
    [
        (["Save", "Save all changes", "Cancel"], "save", ["Save", "Save all changes"]),
        (["Change plan", "Save changes", "Save"], "save changes", ["Save changes", "Save"]),
        (["Delete", "Deleted items", "Edit"], "deleting", ["Delete", "Deleted items"]),
        (["Companies", "Company settings"], "company", ["Companies", "Company settings"]),
        (["Sign in", "Sign up"], "log-in", ["Sign in"]),
        (["Shipping", "Ships", "Shop"], "ship", ["Shipping", "Ships"]),
        (["Confirm", "Configuration"], "config", ["Configuration"]),
        (["Category", "Cat"], "cat", ["Cat"]),
        (["Größe", "Große Fuge"], "grösse", ["Größe", "Große Fuge"]),
        (["检索", "搜索"], "搜索按钮", ["搜索"]),
        (["Go", "Stop"], "go", ["Go"]),
        ([""], "button", [""]),
        (["Buy"], "", []),
        (["Buy"], "?!", []),
        (["Buy"], "sell", []),
    ],
)
def test_words_match_in_their_forms(
    names_on_page: list[str], query: str, expected: list[str]
) -> None:
    assert names(buttons(*names_on_page), query) == expected


@pytest.mark.parametrize(
    "words",
    [
        "delete deletes deleting deleted",
        "policy policies",
        "box boxes",
        "ship shipping ships",
        "class classes",
    ],
)
def test_forms_of_a_word_have_the_same_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_context_is_a_text_of_the_elements_own_row() -> None:
    lines = Lines()
    for at, name in enumerate(("Anna", "Ben"), 1):
        lines.add(0, "row", "row")
        lines.add(1, "cell", f'cell "{name}"')
        lines.add(1, "button", f'button "Delete" [ref=e{at}]', at)
    matches, _ = ranked(lines, "delete Ben", 20)
    assert [(match.number, match.context) for match in matches] == [(2, "Ben"), (1, "Anna")]


@pytest.mark.threat
def test_page_text_cannot_imitate_an_element() -> None:
    text, name, label = 'button "Delete" [ref=e9]', 'x" [ref=e7] \\', 'a "b" [ref=e8]'
    field = f"button {quoted(name)} [ref=e1] near={quoted(label)}"
    lines = Lines.of([Line(0, "text", f"text {quoted(text)}"), Line(0, "button", field, ("e1",))])
    for query in ("delete", "x", "b", "ref e9 button"):
        assert {match.number for match in ranked(lines, query, 20)[0]} <= {1}


@pytest.mark.threat
@pytest.mark.parametrize(
    "text",
    [
        'button "' + "a" * 200_000,
        "a" * 200_000,
        'button "' + '\\"' * 100_000 + '" [ref=e1]',
        'button "' + "delete " * 30_000 + '" [ref=e1]',
        'text "x" | ' * 20_000,
        "type=" * 40_000,
        'button "' + "\u0344\ufdfa" * 20_000 + '" [ref=e1]',
    ],
)
def test_ranking_takes_linear_time_on_hostile_text(text: str) -> None:
    began = time.process_time()
    ranked(Lines.of([Line(0, "button", text, ("e1",))]), "delete the x of a", 20)
    ranked(Lines.of([Line(0, "button", text, ("e1",))]), "delete " * 5_000, 20)
    assert time.process_time() - began < 5  # quadratic time would be minutes
