"""The command line: errors as text and exit status, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from tabwarden.surfaces.cli import main


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["browsers", "install", "--from", "/nowhere.zip"], 2, "There is no file '/nowhere.zip'"),
        (["mcp", "--config", "/nowhere.yaml"], 2, "'/nowhere.yaml' does not exist"),
        (["mcp", "--timeout-ms", "-1"], 2, "--timeout-ms"),
        (["mcp", "--timeout-ms", "soon"], 2, "timeout-ms"),
        (["mcpp"], 2, "Did you mean 'mcp'?"),
        (["demo", "--output", "/proc/nowhere"], 2, "--output"),
    ],
)
def test_command_prints_an_error_without_a_traceback_for_invalid_input(
    arguments: list[str], status: int, words: str
) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status
    assert words in result.output
    assert "Traceback" not in result.output


def test_help_is_short_and_lists_every_command() -> None:
    text = CliRunner().invoke(main, ["--help"]).output
    assert len(text) < 3_000
    assert main.list_commands(Context(main))
    assert [name for name in main.list_commands(Context(main)) if name not in text] == []


@pytest.mark.parametrize("command", ["browsers", "handoffs", "sessions"])
def test_list_subcommand_is_accepted_by_listing_commands(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(tmp_path))
    alone = CliRunner().invoke(main, [command, "--json"])
    assert alone.exit_code == 0
    assert CliRunner().invoke(main, [command, "list", "--json"]).output == alone.output


def test_unknown_configuration_key_error_suggests_the_nearest_key(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("browser: {headles: true}")
    result = CliRunner().invoke(main, ["mcp", "--config", str(path)])
    assert result.exit_code == 2
    assert "browser.headless" in result.output


@pytest.mark.parametrize("command", ["browsers", "demo"])
def test_command_reports_a_missing_configured_browser(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABWARDEN_CHROME", "/nowhere/chrome")
    result = CliRunner().invoke(main, [command])
    assert result.exit_code == 3
    assert "TABWARDEN_CHROME" in result.output
    assert "steps succeeded" not in result.output


def test_command_reports_an_invalid_only_installed_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABWARDEN_CHROME", raising=False)
    monkeypatch.setenv("TABWARDEN_ONLY_INSTALLED", "maybe")
    for command in (["browsers"], ["browsers", "install", "--if-missing"]):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 3
        assert "`TABWARDEN_ONLY_INSTALLED` is 'maybe'" in result.output
