"""``tabwarden skill``: what an agent with a shell reads, and where hosts find it.

``tests/docs/test_cli_guide.py`` runs its commands.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tabwarden.config.document import parse_yaml
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.command_table import command_named, table
from tabwarden.surfaces.hosts import SKILL_FOLDERS


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CLINE_DIR", "COPILOT_HOME", "HERMES_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["skill", *words])


def test_skill_follows_the_agent_skills_format_and_is_short() -> None:
    text = run().stdout
    _, head, body = text.split("---\n", 2)
    facts: dict[str, Any] = parse_yaml(head)
    assert set(facts) <= {"name", "description", "license", "compatibility", "metadata"}
    assert facts["name"] == "tabwarden"
    assert 0 < len(facts["description"]) <= 1024
    assert len(facts["compatibility"]) <= 500
    assert len(body) < 7_000


def test_skill_lists_every_command_and_no_unknown_command() -> None:
    text = run().stdout
    named = set(re.findall(r"(?:(?<=tabwarden )|(?<=[`']))[a-z][a-z-]+(?=[ `'])", text))
    known = {command_named(name, table()) for name in named} - {None}
    assert known == {*table()["commands"]}
    others = {name for name in named if command_named(name, table()) is None}
    groups = {"doctor", "tabwarden", "interrupted", "generic"}
    assert others <= groups


@pytest.mark.parametrize("host", SKILL_FOLDERS)
def test_skill_install_writes_to_the_folder_that_the_host_reads(home: Path, host: str) -> None:
    done = run("install", "--host", host)
    file = next(home.rglob("SKILL.md"))
    assert file.parent.name == "tabwarden"
    assert file.parent.parent.name == "skills"
    assert str(file) in done.stdout
    assert file.read_text("utf-8") == run().stdout


def test_skill_install_backs_up_an_earlier_copy_and_keeps_foreign_files(home: Path) -> None:
    folder = home / "skills"
    file = folder / "tabwarden" / "SKILL.md"
    run("install", "--to", str(folder))
    assert "already up to date" in run("install", "--to", str(folder)).stdout
    file.write_text(file.read_text() + "My own line.\n")
    assert "SKILL.md.backup" in run("install", "--to", str(folder)).stdout
    assert "My own line." in file.with_name("SKILL.md.backup").read_text()
    file.write_text("---\nname: tabwarden\n---\nMine.\n")
    done = run("install", "--to", str(folder))
    assert done.exit_code == 2
    assert "Tabwarden did not write it" in done.stderr
    assert file.read_text().endswith("Mine.\n")


def test_skill_install_reports_an_unknown_host_and_an_unusable_folder(home: Path) -> None:
    assert "claude-code" in run("install", "--host", "clod").stderr
    (home / "file").touch()
    assert run("install", "--to", str(home / "file")).exit_code == 2
    assert [one.name for one in home.iterdir()] == ["file"]
