"""Splitting a text into the key strokes that type it."""

from __future__ import annotations

import pytest

from tabwarden.page.input.typing.keys import Chord, strokes


def plain(text: str) -> list[str]:
    return [
        f"{'Shift+' if one.modifiers else ''}{one.key.code}" if isinstance(one, Chord) else one
        for one in strokes(text)
    ]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("", []),
        ("aA1!", ["KeyA", "Shift+KeyA", "Digit1", "Shift+Digit1"]),
        ("a b", ["KeyA", "Space", "KeyB"]),
        ("a\tb\r\nc", ["KeyA", "Tab", "KeyB", "Enter", "KeyC"]),
        ("né漢字o👍🏽", ["KeyN", "é漢字", "KeyO", "👍🏽"]),
    ],
)
def test_key_split_sends_keys_and_groups_characters_without_a_key(
    text: str, typed: list[str]
) -> None:
    assert plain(text) == typed
