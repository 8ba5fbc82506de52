"""Words of ours for readers who have other tools; what a page says is left alone."""

from __future__ import annotations

import pytest

from tabwarden.surfaces.dialects.wording import reworded

NAMES = {
    "browser_dialog": "action='dialog'",
    "browser_snapshot": "action='snapshot' {}",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer it: browser_dialog; then go on.", "Answer it: action='dialog'; then go on."),
        ("browser_dialog(action='accept')", "action='dialog'"),
        ('A part: browser_snapshot(more="m3").', "A part: action='snapshot' (more=\"m3\")."),
        ("browser_auth answers", "browser_auth (which is not in this dialect) answers"),
        ("a browser_of_mine", "a browser_of_mine"),
        ('value: "browser_dialog"', 'value: "browser_dialog"'),
        ('named "a \\"quoted\\" browser_dialog"', 'named "a \\"quoted\\" browser_dialog"'),
        (
            "<page 1a2b>\n- text: browser_dialog\n</page 9>\nbrowser_dialog\n</page 1a2b>\n"
            "browser_dialog",
            "<page 1a2b>\n- text: browser_dialog\n</page 9>\nbrowser_dialog\n</page 1a2b>\n"
            "action='dialog'",
        ),
    ],
)
def test_tools_are_called_what_the_reader_calls_them(text: str, expected: str) -> None:
    assert reworded(text, NAMES) == expected
