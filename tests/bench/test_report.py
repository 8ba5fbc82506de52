"""The report states the verdicts, is self-contained, and can be rebuilt from its JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench.bench import Found
from bench.report import Run, html, put_into
from bench.report.markdown import BEGIN, END
from bench.rows import Figure, Row

HOSTILE = "<script>alert(1)</script> | said the rival"


def run_of(own_ms: float) -> Run:
    figures = (Figure("a click", "click", 3), Figure("a snapshot", "snapshot", 5))
    ways = {"tabwarden": [own_ms] * 3, "playwright": [20.0, 30.0, 40.0]}
    found = Found("actions", "Actions", figures)
    found.rows = [Row("click", ways, left_out={"rival": HOSTILE})]
    found.skipped = {"click: rival": HOSTILE}
    machine = {"processor": "2 x something"}
    return Run("2026-11-22", "python -m bench", machine, {"browser": "153"}, {}, [found])


@pytest.mark.parametrize(("own_ms", "word"), [(2.0, "met"), (4.0, "missed")])
def test_report_page_shows_the_verdict_computed_from_the_measurements(
    own_ms: float, word: str
) -> None:
    page = html(run_of(own_ms))
    words = re.findall(r'<td class="(\w+)">\1</td>', page)
    assert words == [word, "unknown"]
    assert f"{30 / own_ms:.1f} x" in page or f"{30 / own_ms:.2f} x" in page
    assert "<svg" in page
    assert ">playwright</text>" in page


def test_report_page_is_self_contained_and_escapes_markup() -> None:
    page = html(run_of(2.0))
    assert not re.search(r"<(script|link|img|iframe)\b|@import|url\((?!#)", page)
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "&lt;script&gt;" in page


def test_rebuilding_a_report_from_its_json_gives_the_same_html() -> None:
    made = run_of(4.0)
    told = json.loads(json.dumps(made.to_json()))
    assert [verdict["reached"] for verdict in told["benches"][0]["verdicts"]] == [False, None]
    told["benches"][0]["rows"][0]["ways"]["tabwarden"] = [2.0]
    again = Run.of_json(told)
    assert [verdict.reached for verdict in again.verdicts] == [True, None]


def test_report_inserts_figures_between_the_markers_in_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Before\n{BEGIN}\nold\n{END}\nAfter\n")
    put_into(page, run_of(2.0))
    text = page.read_text()
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert "old" not in text
    assert "| a click | 2.00 ms | at most 3.00 ms | set in advance | met |" in text
    assert "| click, ms | **2.00 (2.00 to 2.00)** | 30.0 (20.0 to 40.0) |" in text
    assert "<script>" not in text


def test_report_rejects_a_page_without_markers_and_leaves_it_unchanged(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Nothing here")
    with pytest.raises(ValueError, match="has no line"):
        put_into(page, run_of(2.0))
    assert page.read_text() == "Nothing here"
