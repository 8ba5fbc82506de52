"""Errors of the command-line parser, in the format of action errors, or JSON with --json."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from click.testing import CliRunner

from tabwarden.surfaces.cli.group import main

WRONG: list[tuple[list[str], str, str]] = [
    (["doctor", "--only", "leftover"], "only", "leftovers"),
    (["doctor", "--timeout-ms", "x"], "timeout_ms", "milliseconds"),
    (["config", "get", "browser.headles"], "browser.headles", "headless"),
    (["config", "get"], "key", "KEY"),
    (["config", "gett", "x"], "command", "Did you mean 'get'?"),
    (["daemon", "stpo"], "command", "Did you mean 'stop'?"),
    (["daemon", "stop", "--alll"], "--alll", "Did you mean --all?"),
    (["browsers", "instal"], "command", "Did you mean 'install'?"),
    (["serve", "--prot", "1"], "--prot", "Did you mean --port?"),
    (["completion", "fsh"], "shell", "fish"),
    (["--jason"], "--jason", "tabwarden --help"),
]


def ran(words: Sequence[str]) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command."""
    done = CliRunner().invoke(main, list(words), prog_name="tabwarden")
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(("words", "field", "says"), WRONG)
def test_invalid_command_line_prints_an_error_code_and_a_suggestion(
    words: list[str], field: str, says: str
) -> None:
    _ = field
    status, out, err = ran(words)
    assert (status, out) == (2, "")
    assert err.startswith("error invalid_argument: "), err
    assert says in err
    assert "Usage:" not in err.splitlines()[0]


# ``completion`` has no JSON output.
@pytest.mark.parametrize(
    ("words", "field", "says"), [case for case in WRONG if case[0][0] != "completion"]
)
def test_invalid_command_line_with_json_option_prints_a_json_error(
    words: list[str], field: str, says: str
) -> None:
    status, out, err = ran([*words, "--json"])
    assert (status, err) == (2, "")
    error = json.loads(out)["error"]
    assert error["code"] == "invalid_argument"
    assert error["data"]["field"] == field
    assert says in f"{error['message']} {error['hint']}"


@pytest.mark.parametrize("words", [["daemon"], ["config"], []])
def test_command_group_without_a_subcommand_prints_help(words: list[str]) -> None:
    _, out, err = ran(words)
    assert "Usage: tabwarden" in out + err
    assert "invalid_argument" not in out + err
