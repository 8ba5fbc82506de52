"""``python -m judges.switching``: one trial of Tabwarden, and the outcomes' format."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench.rivals import Installed
from judges.switching.report import FROM, put_into, table
from judges.switching.ring import attempt
from judges.switching.stage import AGENT_BROWSER, OWN, PLAYWRIGHT
from judges.switching.trial import Outcome, Trial
from judges.switching.trials import TRIALS
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose


@pytest.mark.long
def test_tabwarden_completes_the_page_tools_trial(tmp_path: Path) -> None:
    async def run() -> Outcome:
        browser = str((await choose(Budget(60_000))).path)
        outcome, _ = await attempt(TRIALS["page-tools"], OWN, browser, Installed(tmp_path))
        return outcome

    outcome = asyncio.run(run())
    assert outcome.done, outcome
    assert outcome.calls == 2
    assert 100 < outcome.read < 2_000
    assert 8_000 < outcome.definitions < 12_000


@pytest.mark.parametrize("tool", [PLAYWRIGHT, AGENT_BROWSER])
def test_trial_outcome_reports_that_a_tool_is_not_installed(tool: str, tmp_path: Path) -> None:
    outcome, _ = asyncio.run(attempt(TRIALS["wait"], tool, "chromium", Installed(tmp_path)))
    assert not outcome.done
    assert outcome.calls == 0
    assert "FileNotFoundError" in outcome.missing


def test_trial_outcomes_replace_the_table_at_the_end_of_the_page(tmp_path: Path) -> None:
    trial = Trial("mock", "mock a request", lambda stage: None, lambda stage: {})
    found = {
        ("mock", OWN): Outcome(True, "", 3, 1_500, 9_000),
        ("mock", PLAYWRIGHT): Outcome(False, "not true: <the popup> got it", 4, 20, 18_000),
        ("mock", AGENT_BROWSER): Outcome(False, "it has none", offered=False),
    }
    tools = (OWN, PLAYWRIGHT, AGENT_BROWSER)
    text = table(found, [trial], tools, {"browser": "156.0 (chromium)"})
    page = tmp_path / "page.md"
    page.write_text(f"# Before\n{FROM}\nold\n")
    put_into(page, text)
    lines = page.read_text().splitlines()
    assert (
        "| mock: mock a request | done: 3 / 1,500 / 9,000 | **no**: 4 / 20 / 18,000 | - |" in lines
    )
    assert "| **done** | 1 of 1 | 0 of 1 | 0 of 1 |" in lines
    assert "- mock, Playwright MCP: not true: the popup got it." in lines
    assert lines[0] == "# Before"
    assert "old" not in lines
    page.write_text("no mark")
    with pytest.raises(ValueError, match="has no line"):
        put_into(page, text)
