"""Command output: data for programs, lines for pipes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from tabwarden.surfaces.cli.commands.base import print_table
from tabwarden.surfaces.cli.output import show


@pytest.mark.parametrize(
    ("lines", "as_json", "written"),
    [
        (["a", "b\x1b"], False, "a\nb\x1b\n"),
        ([""], False, "\n"),
        ([], False, ""),
        (["a"], True, '{"n": "é"}\n'),
    ],
)
def test_output_to_a_pipe_is_unchanged_lines_or_json(
    lines: list[str], as_json: bool, written: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    show({"n": "é"}, lines, as_json=as_json, table=lambda: pytest.fail("this is a pipe"))
    assert capfdbinary.readouterr().out == written.encode()


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("show(1, ['a'], as_json=False, table=lambda: print('drawn'))", "drawn"),
        ("show(1, ['a\\x1b[2J'], as_json=False)", "a\N{REPLACEMENT CHARACTER}[2J"),
        ("show([1], ['a'], as_json=True)", json.dumps([1], indent=2)),
    ],
)
def test_output_to_a_terminal_is_a_table_with_control_characters_replaced(
    call: str, written: str
) -> None:
    ours, theirs = pty.openpty()
    program = f"from tabwarden.surfaces.cli.output import show; {call}"
    subprocess.run([sys.executable, "-c", program], stdout=theirs, check=True, timeout=30)
    os.close(theirs)
    assert os.read(ours, 1000).decode().replace("\r\n", "\n") == f"{written}\n"
    os.close(ours)


def test_output_table_shows_brackets_and_control_characters_as_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(["Why"], [("bold", ["[/red] \x1b[2J"])], unwrapped="Why")
    assert "[/red] \N{REPLACEMENT CHARACTER}[2J" in capsys.readouterr().out
