"""The vendors' refs and words in texts of ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.actions import Answer, session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.integrations.members import MemberCall

CONFIG = BrowserConfig()


def call_of(ref_prefix: str = "ref_") -> MemberCall:
    session = session_of(CONFIG)
    return MemberCall(
        session, CONFIG, Budget(1000), ref_prefix=ref_prefix, read="read_page", find="find"
    )


@pytest.mark.parametrize(
    ("ours", "vendors"),
    [
        ('- button "Go" [ref=e2]', '- button "Go" [ref_2]'),
        ('- text "Some \\"quoted\\" [ref=e3] text"', '- text "Some \\"quoted\\" [ref=e3] text"'),
        ("e12 is covered by e7.", "ref_12 is covered by ref_7."),
        ('e12 (link "e7") is gone.', 'ref_12 (link "e7") is gone.'),
        ("the1 tree e, e1a and 1e5", "the1 tree e, e1a and 1e5"),
        ('- text "cut in the middle e5', '- text "cut in the middle e5'),
    ],
)
def test_refs_get_the_vendors_name_and_page_text_stays(ours: str, vendors: str) -> None:
    assert call_of().vendors(ours) == vendors
    assert call_of("e").vendors(ours) == ours


@given(st.integers(0, 10**8))
def test_refs_go_both_ways(number: int) -> None:
    call = call_of()
    assert call.ref(f"ref_{number}") == f"e{number}"
    assert call.vendors(f"[ref=e{number}]") == f"[ref_{number}]"


@given(st.text())
def test_page_text_in_quotes_never_changes(text: str) -> None:
    line = f"- text {json.dumps(text, ensure_ascii=False)}"
    one_line = line.replace("\n", " ")
    assert call_of().vendors(one_line) == one_line


@pytest.mark.parametrize(
    ("code", "message", "hint", "words"),
    [
        ("stale_ref", "e5 is gone.", "Take a snapshot.", "ref_5 is gone. Call read_page or find"),
        (
            "budget_exceeded",
            "Too slow.",
            "Take a new snapshot. Trace: /home/a/b",
            "Call read_page.",
        ),
        ("denied", "x is not a file in the upload folder /home/a", "Use another.", "Use another."),
    ],
)
def test_errors_name_the_vendors_tools_and_no_path(
    code: str, message: str, hint: str, words: str
) -> None:
    error = {"code": code, "message": message, "hint": hint, "data": {}}
    failed = call_of().failure(Answer(text="", data={"error": error}, is_error=True))
    assert words in failed.text
    assert "/home" not in failed.text
    assert "napshot" not in failed.text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("click: ok · nothing else observed in 148 ms", ""),
        ('click: ok · the title is now "e5"', 'the title is now "e5"'),
        ("type: ok\nvalue: {}\nThe field kept 3 letters.", "The field kept 3 letters."),
    ],
)
def test_line_after_an_action_has_its_effects_only(text: str, line: str) -> None:
    assert call_of().line_of(Answer(text=text, data={"status": "ok"})) == line
