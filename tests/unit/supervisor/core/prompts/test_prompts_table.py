"""The table of prompt kinds: its fields and its uses."""

from __future__ import annotations

import pytest
from support.machine_kit import Play

from tabwarden.actions import ACTIONS
from tabwarden.control_api import camel
from tabwarden.page import NewSinceLast, Snapshot
from tabwarden.supervisor.core import SupervisorSnapshot, snapshot_of
from tabwarden.supervisor.core.prompts import PROMPT_KINDS, prompts_json
from tabwarden.supervisor.core.state import inputs
from tabwarden.surfaces.http.schema import SCHEMAS

ROWS = sorted(PROMPT_KINDS)


def test_prompt_kinds_have_distinct_letters_nouns_and_prompts() -> None:
    kinds = PROMPT_KINDS.values()
    for of in ("letter", "noun", "prompt"):
        assert len({getattr(kind, of) for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("row", ROWS)
def test_each_kind_of_prompt_has_an_action_that_answers_it(row: str) -> None:
    assert f"browser_{PROMPT_KINDS[row].action}" in ACTIONS


@pytest.mark.parametrize("row", ROWS)
def test_each_kind_of_prompt_appears_on_every_surface(row: str) -> None:
    for shown in (Snapshot, NewSinceLast, SupervisorSnapshot):
        assert row in shown.__struct_fields__
    news = SCHEMAS["Outcome"]["properties"]["newSinceLast"]["properties"]
    assert camel(row) in news


def test_prompt_kind_determines_prompt_id_and_text(one_tab: Play) -> None:
    asks = {"frameId": "T1", "mode": "selectSingle", "backendNodeId": 7}
    one_tab.event("Page.fileChooserOpened", asks, "S1")
    one_tab.give(inputs.AnswerPrompt("f-1"))
    assert one_tab.state.prompts == ()
    one_tab.event("Page.fileChooserOpened", asks, "S1")
    (prompt,) = one_tab.state.prompts
    shown = prompts_json(one_tab.state.prompts)
    assert shown == {
        "auth_challenges": (),
        "file_choosers": (
            {
                "id": "f-2", "tab_id": "t1", "session_id": "S1", "frame_id": "T1",
                "opened_at": prompt.opened_at, "multiple": False, "accept": "",
                "is_folder": False,
            },
        ),
    } | {row: () for row in ROWS if row not in ("auth_challenges", "file_choosers")}  # fmt: skip
    seen = snapshot_of("task", one_tab.state)
    assert [(kind.noun, one) for kind, one in seen.each()] == [("File chooser", prompt)]
    kind = PROMPT_KINDS["file_choosers"]
    words = kind.words(shown["file_choosers"][0], repr)
    assert words == "File chooser f-2 is waiting in tab t1 for one file"
