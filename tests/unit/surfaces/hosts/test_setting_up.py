"""``tabwarden mcp --setup HOST``: Tabwarden's entry in the settings of each host."""

from __future__ import annotations

import json
import os
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tabwarden.config.document import parse_yaml
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.hosts import HOSTS, program, setup_for

WORDS = ["/opt/tabwarden", "mcp", "--headed"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [*os.environ]:
        if name.startswith(("XDG_", "CLAUDE_", "CODEX_", "CLINE_", "COPILOT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["mcp", *words])


def read(name: str, text: str) -> Any:
    parse = {"json": json.loads, "toml": tomllib.loads, "yaml": parse_yaml}
    return parse[HOSTS[name].form](text)


@pytest.mark.parametrize("name", HOSTS)
def test_mcp_setup_writes_its_entry_and_a_second_run_changes_nothing(name: str) -> None:
    setup = setup_for(name, WORDS)
    done = setup.write()
    assert (done.file, done.backup, done.changed) == (setup.file, None, True)
    written = done.file.read_text("utf-8")
    assert read(name, written) == read(name, setup.snippet)
    entry = read(name, written)[HOSTS[name].section]["tabwarden"]
    assert {*WORDS} <= {*entry.get("args", []), entry.get("cmd"), *entry.get("command", "")} or (
        [entry["command"], *entry["args"]] == WORDS
    )
    again = setup.write()
    assert (again.backup, again.changed) == (None, False)
    assert done.file.read_text("utf-8") == written


def test_hosts_guide_lists_each_host_and_its_configuration_file(home: Path) -> None:
    guide = (Path(__file__).parents[4] / "docs/hosts.md").read_text("utf-8")
    for name in HOSTS:
        file = setup_for(name, WORDS).file.relative_to(home)
        row = next(line for line in guide.splitlines() if line.startswith(f"| `{name}` |"))
        if sys.platform == "linux":
            assert file.name in row
            assert f"`~/{file.parent}/".replace("/./", "/") in row


CODEX = """\
# mine
model = "o9"

[mcp_servers.tabwarden]
command = "old"  # where it was
args = [
  "mcp",  # the server
  "--headed",
]
startup_timeout_sec = 20

[mcp_servers.tabwarden.env]
A = "b"

[mcp_servers.other]
command = "npx"
"""
GOOSE = """\
# mine
GOOSE_MODEL: gpt
extensions:
  developer:   # built in
    enabled: true
    type: builtin
"""


def test_mcp_setup_keeps_the_files_other_settings(home: Path) -> None:
    codex, goose = home / ".codex/config.toml", home / ".config/goose/config.yaml"
    for file, text in ((codex, CODEX), (goose, GOOSE)):
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o640)
    done = setup_for("codex", WORDS).write()
    assert done.backup == codex.with_name("config.toml.backup")
    assert done.backup.read_text() == CODEX
    made = tomllib.loads(codex.read_text())
    assert made["mcp_servers"]["tabwarden"] == {
        "command": WORDS[0], "args": WORDS[1:], "startup_timeout_sec": 20, "env": {"A": "b"},
    }  # fmt: skip
    assert made["mcp_servers"]["other"] == {"command": "npx"}
    assert codex.read_text().startswith("# mine\n")
    if sys.platform != "win32":
        assert stat.S_IMODE(codex.stat().st_mode) == 0o640
        assert stat.S_IMODE(done.backup.stat().st_mode) == 0o640

    setup_for("goose", WORDS).write()
    assert goose.read_text().startswith(GOOSE)
    assert parse_yaml(goose.read_text())["extensions"]["tabwarden"]["cmd"] == WORDS[0]


def test_mcp_setup_keeps_a_users_additions_to_its_entry(home: Path) -> None:
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"tabwarden": {"command": "a", "env": {"B": "c"} /* d */}}}')
    setup_for("cursor", WORDS).write()
    text = file.read_text()
    assert '"env": {"B": "c"}' in text
    assert "/* d */" in text
    assert file.with_name("mcp.json.backup").exists()
    file.write_text('{"mcpServers": {}}')
    assert setup_for("cursor", WORDS).write().backup == file.with_name("mcp.json.backup1")


def test_mcp_setup_follows_a_symlink_and_keeps_it(home: Path) -> None:
    real, link = home / "dotfiles.json", home / ".claude.json"
    real.write_text("{}")
    link.symlink_to(real)
    assert setup_for("claude-code", WORDS).write().file == real
    assert link.is_symlink()
    assert "tabwarden" in real.read_text()


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("cursor", b'{"mcpServers": {\n  "a" 1}}', "not valid JSON: Expecting ':' del"),
        ("cursor", b"[]", "is not a table of keys and values"),
        ("cursor", b'{"mcpServers": []}', "mcpServers in"),
        ("cursor", b'{"mcpServers": {"tabwarden": "x"}}', "mcpServers.tabwarden in"),
        ("cursor", b'{"mcpServers": {"tabwarden": {"url": "http://x"}}}', "on the network (url)"),
        ("cursor", b'{\n"a": "\xff"}', "line 2 is not UTF-8"),
        ("codex", b'a = 1\nb = "', "not valid TOML"),
        ("codex", b'mcp_servers = {a = {command = "b"}}', "can't change"),
        ("codex", b"[[mcp_servers]]\na = 1", "mcp_servers in"),
        ("goose", b"a: 1\n\tb: 2", "not valid YAML"),
        ("goose", b"extensions: [a]", "extensions in"),
    ],
)  # fmt: skip
def test_mcp_setup_rejects_settings_that_it_cannot_edit_and_keeps_them(
    home: Path, name: str, text: bytes, says: str
) -> None:
    file = home / "settings"
    file.write_bytes(text)
    with pytest.raises(InvalidArgument) as refused:
        setup_for(name, WORDS, file).write()
    assert says in refused.value.message
    assert refused.value.data["field"] == "setup"
    assert file.read_bytes() == text
    assert [one.name for one in home.iterdir()] == ["settings"]


def test_mcp_setup_rejects_a_path_that_it_cannot_write(home: Path) -> None:
    (home / "folder").write_text("a file")
    with pytest.raises(InvalidArgument, match="can't write"):
        setup_for("cursor", WORDS, home / "folder/mcp.json").write()
    with pytest.raises(InvalidArgument, match="not a regular file"):
        setup_for("cursor", WORDS, home).write()


def test_mcp_setup_prints_the_given_options_and_writes_only_with_write(home: Path) -> None:
    done = run("--setup", "cursor", "--headed", "--config", "a.yaml", "--arg=--mute-audio")
    assert done.exit_code == 2, "the configuration is read first"
    options = ["--headed", "--viewport", "800x600", "--record", "here", "--arg=--mute-audio"]
    done = run("--setup", "cursor", *options)
    assert json.loads(done.stdout)["mcpServers"]["tabwarden"] == {
        "type": "stdio",
        "command": program()[0],
        "args": [
            *program()[1:], "mcp", "--headed", "--arg=--mute-audio",
            "--viewport", "800x600", "--record", str(Path("here").absolute()),
        ],
    }  # fmt: skip
    assert str(home / ".cursor/mcp.json") in done.stderr
    assert not (home / ".cursor").exists()
    told = run("--setup", "cursor", "--write").stdout
    assert "The file is new." in told
    assert (home / ".cursor/mcp.json").exists()
    assert "already has these settings" in run("--setup", "cursor", "--write").stdout


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["--setup", "cursr"], "setup"),
        (["--setup", "cursor", "--http"], "setup"),
        (["--write"], "write"),
        (["--setup-file", "x"], "setup_file"),
        (["--setup", "cursor", "--tools", "nonsense"], "tools"),
    ],
)
def test_mcp_setup_error_identifies_an_invalid_option(
    home: Path, words: list[str], field: str
) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert field in done.stderr.replace("-", "_")
    assert [*home.iterdir()] == []
