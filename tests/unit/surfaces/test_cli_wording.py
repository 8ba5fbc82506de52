"""What our words call a tool is said as the command that a shell user has."""

from __future__ import annotations

import pytest

from tabwarden.surfaces.cli.wording import in_commands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing of the kind", "nothing of the kind"),
        ("(answer with browser_dialog)", "(answer with tabwarden dialog)"),
        (
            "Answer it: browser_dialog(action='accept' or 'dismiss', dialog_id='d-1'); then go on.",
            "Answer it: tabwarden dialog --action accept|dismiss --dialog-id d-1; then go on.",
        ),
        (
            "browser_dialog(action='accept' or 'dismiss', prompt_text=... for a prompt)",
            "tabwarden dialog --action accept|dismiss --prompt-text ... (for a prompt)",
        ),
        ("browser_auth(cancel=true)", "tabwarden auth --cancel"),
        ('browser_snapshot(more="m...")', "tabwarden snapshot --more m..."),
        ('named "browser_dialog"', 'named "browser_dialog"'),
        ("<page 1a2b>\n- text: browser_dialog\n</page 1a2b>",) * 2,
        ("a browser_of_mine",) * 2,
    ],
)
def test_tools_are_told_as_commands(text: str, expected: str) -> None:
    assert in_commands(text) == expected
