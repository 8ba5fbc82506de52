"""The table in docs/prompts.md lists every kind of prompt and every kind of note."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from tabwarden.actions import ACTIONS
from tabwarden.supervisor.core.prompts import PROMPT_KINDS
from tabwarden.supervisor.core.state.notes import NoteKind

PAGE = (Path(__file__).parents[2] / "docs" / "prompts.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]
OTHERS = {"password", "refused", "window"}
"""The kinds of notes that other sections of the page, and docs/network.md, describe."""


@pytest.mark.parametrize("kind", PROMPT_KINDS.values(), ids=PROMPT_KINDS)
def test_table_names_each_kind_of_prompt_with_the_action_that_answers_it(kind: object) -> None:
    noun, action = kind.noun.lower(), f"browser_{kind.action}"  # type: ignore[attr-defined]
    assert any(noun in row and action in row for row in ROWS)


@pytest.mark.parametrize("kind", sorted(set(get_args(NoteKind)) - OTHERS))
def test_table_names_each_kind_of_note(kind: str) -> None:
    assert any(f"`{kind}`" in row for row in ROWS)


def test_table_names_only_actions_that_exist() -> None:
    named = set(re.findall(r"`(browser_\w+)", "\n".join(ROWS)))
    assert named <= set(ACTIONS)
