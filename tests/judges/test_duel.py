"""A duel's verdicts depend on the agent's output and the page's report."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from judges.duel.agent import Read
from judges.duel.card import Card
from judges.duel.judging import Demand, Verdict, judge, together
from judges.duel.picture import picture
from judges.duel.report import told

SURE = Demand(told="Delete 3 files", answer="true")
HUNG = Demand(told="(?i)hung|timeout")
TEA = Demand(bought="tea")

LOOK = Read("look", "- button", failed=False, seconds=0.1)
TOLD = Read("look", 'Error\nconfirm "Delete 3 files?"', failed=True, seconds=0.4)
CLICK = Read("click Buy tea", "ok", failed=False, seconds=0.5)
FAILED = Read("click Buy tea", "### Error\nno such ref", failed=True, seconds=5.0)
SILENT = Read("look", "", failed=True, seconds=10.0)


@pytest.mark.parametrize(
    ("demand", "reads", "heard", "result", "why"),
    [
        (SURE, [LOOK, TOLD], ["/told/answer/true", "/told/went-on"], "won", ""),
        (SURE, [TOLD], ["/told/answer/true"], "stuck", "nothing worked any more"),
        (SURE, [TOLD, SILENT], [], "stuck", "the dialog got no answer"),
        (SURE, [TOLD], ["/told/answer/false"], "wrong", "it answered the dialog itself"),
        (
            SURE, [LOOK], ["/told/answer/true", "/told/went-on"],
            "wrong", "it answered the dialog itself",
        ),
        (HUNG, [LOOK], ["/told/went-on"], "wrong", "it did not say what happened"),
        (HUNG, [SILENT], [], "stuck", "nothing worked any more"),
        (TEA, [CLICK], ["/told/bought/tea"], "won", ""),
        (TEA, [FAILED, CLICK], ["/told/bought/tea"], "won", ""),
        (TEA, [CLICK], ["/told/bought/coffee"], "wrong", "it clicked coffee"),
        (TEA, [CLICK], [], "wrong", "it said ok and clicked nothing"),
        (TEA, [FAILED], [], "stuck", "no click arrived"),
    ],
)  # fmt: skip
def test_duel_judge_uses_the_agents_output_and_the_pages_report(
    demand: Demand, reads: list[Read], heard: list[str], result: str, why: str
) -> None:
    verdict = judge(demand, reads, heard)
    assert (verdict.result, verdict.why) == (result, why)
    assert verdict.seconds == sum(read.seconds for read in reads)


def test_duel_judge_quotes_the_line_that_describes_the_problem() -> None:
    assert judge(SURE, [LOOK, TOLD], []).said == 'confirm "Delete 3 files?"'


def test_duel_judge_quotes_the_first_failure_if_no_line_describes_the_problem() -> None:
    assert judge(HUNG, [LOOK, FAILED, SILENT], []).said == "no such ref"
    assert judge(HUNG, [LOOK, SILENT], []).said == "(no answer to 'look' in 10 s)"


def test_tool_wins_a_duel_page_only_if_it_wins_each_round() -> None:
    won, lost = Verdict("won", "", 1.0, 2), Verdict("stuck", "no click arrived", 15.0, 6)
    assert together([won, won, Verdict("won", "", 4.0, 2)]) == won
    both = together([won, lost])
    assert (both.result, both.seconds) == ("stuck", 15.0)
    assert both.why == "no click arrived (1 of 2 rounds)"


CARD = Card(
    tools=("browser-use", "tabwarden"),
    bouts=("a dialog",),
    verdicts={
        ("tabwarden", "a dialog"): Verdict("won", "", 0.3, 4, "Dialog d-1 waits | <b>"),
        ("browser-use", "a dialog"): Verdict("stuck", "nothing worked", 30.0, 3),
    },
    absent={},
    versions={"browser": "156.0"},
    date="2026-11-25",
)


def test_duel_image_has_no_script_and_describes_all_results_in_text() -> None:
    root = ElementTree.fromstring(picture(CARD))
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names == {"svg", "title", "desc", "style", "rect", "line", "text"}
    told_in_words = next(one.text for one in root.iter() if one.tag.endswith("desc")) or ""
    assert "Tabwarden won 1 of 1. a dialog: won in 0.3 s." in told_in_words
    assert "browser-use won 0 of 1. a dialog: stuck after 30.0 s: nothing worked." in told_in_words


def test_duel_documentation_page_quotes_the_output_of_each_tool() -> None:
    assert r"| a dialog | Tabwarden | won in 0.3 s | `Dialog d-1 waits \| <b>` |" in told(CARD)
