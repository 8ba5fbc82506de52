"""How the demo's story is printed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from tabwarden.demo.surprise import Surprise
from tabwarden.demo.telling import Deed, Outcome, Teller, facts
from tabwarden.errors import DialogPending
from tabwarden.page import ActionResult


def teller_to(
    *, terminal: bool = False, encoding: str = "utf-8"
) -> tuple[Teller, io.TextIOWrapper]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    return Teller(Console(file=stream, force_terminal=terminal, width=100)), stream


def told(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def test_demo_printer_prints_plain_lines_without_a_terminal() -> None:
    teller, stream = teller_to()
    teller.step(1, "A title")
    with teller.doing("click e1") as deed:
        deed.came_of_it = "ok"
    teller.show(['- button "Buy" [ref=e1]', '- text "[bold]not markup[/bold] :smile:"'])
    text = told(stream)
    assert "\x1b" not in text
    assert "1. A title" in text
    assert " ✓ click e1 → ok" in text
    assert text.count(" ms\n") == 1
    assert '   │ - button "Buy" [ref=e1]\n' in text
    assert '   │ - text "[bold]not markup[/bold] :smile:"\n' in text


def test_demo_printer_prints_colors_and_a_spinner_on_a_terminal() -> None:
    teller, stream = teller_to(terminal=True)
    with teller.doing("click e1"):
        teller.show(['- button "Buy" [ref=e1]'])
    text = told(stream)
    assert "\x1b[32m ✓ " in text
    assert "\x1b[36m[ref=e1]" in text
    assert "\x1b[?25l" in text


def test_demo_printer_replaces_characters_that_the_encoding_lacks() -> None:
    teller, stream = teller_to(encoding="ascii")
    with teller.doing("click e1") as deed:
        deed.came_of_it = "€5"
    teller.show(["2 \u00d7 tea"])
    text = told(stream)
    assert " ok click e1 -> EUR 5" in text
    assert "   | 2 ? tea" in text


def test_demo_printer_prints_the_error_and_hint_of_a_failed_call() -> None:
    teller, stream = teller_to()
    with pytest.raises(DialogPending) as caught, teller.doing("evaluate"):
        raise DialogPending("A dialog is open.", "Answer it.")
    teller.failed(caught.value)
    teller.failed(Surprise("The basket is empty."))
    text = told(stream)
    assert " ✗ evaluate" in text
    assert " ✗ dialog_pending: A dialog is open.\n   Answer it.\n" in text
    assert " ✗ surprise: The basket is empty.\n" in text


def test_demo_printer_wraps_long_lines_and_shortens_long_ids() -> None:
    teller, stream = teller_to()
    teller.show(["frame " + "0123456789ABCDEF" * 2 + " " + "word " * 40])
    lines = told(stream).splitlines()
    assert lines[0].startswith("   │ frame 012345… word")
    assert len(lines) > 2
    assert max(map(len, lines)) <= 100


def test_demo_summary_contains_step_counts_and_measured_times() -> None:
    teller, stream = teller_to()
    with teller.doing("goto"):
        pass
    teller.summary(
        [
            Outcome("open", "Launch", "done", 120.0),
            Outcome("pay", "Pay", "failed", 1500.0),
            Outcome("more", "More", "skipped"),
        ],
        [Path("out", "shop.png")],
    )
    text = told(stream)
    assert "1 of 3 steps succeeded in 1.6 s." in text
    assert " ✗ Pay " in text
    assert "1,500 ms" in text
    assert " - More\n" in text
    assert "median" not in text
    assert text.endswith("Picture: out/shop.png\n")


def test_demo_summary_lists_the_longest_calls() -> None:
    teller, stream = teller_to()
    teller.deeds += [Deed(f"call {ms}", ms=float(ms)) for ms in (20, 1500, 30, 40)]
    teller.summary([Outcome("open", "Launch", "done", 1590.0)])
    text = told(stream)
    assert "4 calls, median 35 ms. The longest:\n  1,500 ms  call 1500\n" in text
    assert "call 20" not in text


def test_demo_prints_results_without_empty_fields() -> None:
    result = ActionResult(
        action="click",
        status="interrupted",
        by={"kind": "dialog", "dialog": {"id": "d-1", "accepted": False, "default_prompt": ""}},
    )
    assert facts(result) == [
        "{",
        '  "action": "click",',
        '  "status": "interrupted",',
        '  "by": {"kind": "dialog", "dialog": {"id": "d-1", "accepted": false}}',
        "}",
    ]
    assert facts(result, "status", "note") == ["{", '  "status": "interrupted"', "}"]
