"""The examples in README and docs/ are run as a reader would run them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from support.pace import slowness
from support.running import browser_here

from tabwarden.surfaces.cli import main
from tabwarden.surfaces.mcp.http import DEFAULT_PORT

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tabwarden"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """``(page, code)`` of every fenced block in a language."""
    return [
        (page.relative_to(ROOT).as_posix(), code)
        for page in PAGES
        for kind, code in FENCE.findall(page.read_text("utf-8"))
        if kind == language
    ]


def commands() -> list[str]:
    lines = [line for _, code in blocks("sh") for line in code.splitlines()]
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def examples() -> list[Any]:
    """Each Python example; those with a page that hangs are for the last stage. The short run has
    those of README.md and the first one of each other page."""
    found, seen = [], set()
    for number, (page, code) in enumerate(blocks("python")):
        marks = [pytest.mark.calm] if "while (true)" in code else []
        if page in seen - {"README.md"}:
            marks.append(pytest.mark.long)
        seen.add(page)
        found.append(pytest.param(code, id=f"{page}-{number}", marks=marks))
    return found


@pytest.mark.parametrize("code", examples())
def test_python_examples_run_and_print_the_documented_output(
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pace = 1.0
    if "while (true)" in code:  # a page that hangs has its time: other tests take the processors
        pace = 2 * min(4.0, slowness())
        monkeypatch.setenv("TABWARDEN_BROWSER__HANG_PATIENCE", "8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABWARDEN_BROWSER__DOWNLOAD_DIR", str(tmp_path / "downloads"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    code = code.replace("/usr/bin/chromium", str(browser_here().path))  # if Debian's is lacking
    code = re.sub(r"(?<=timeout_ms=)[\d_]+", lambda found: str(round(int(found[0]) * pace)), code)
    with patch.dict(os.environ):  # the example's settings are undone afterwards
        exec(compile(code, "example", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    for said in re.findall(r"print\(.*\) +# (.*)", code):
        for piece in said.split(":")[0].split("..."):
            assert piece.strip() in printed


@cache
def help_of(*words: str) -> str:
    command = [sys.executable, *words, "--help"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("command", commands())
def test_documented_commands_and_options_exist(command: str) -> None:
    program, *arguments = command.removeprefix("uvx --from . ").split()
    if program == "make":
        made = (ROOT / "Makefile").read_text()
        assert re.search(rf"^{arguments[0]}:", made, re.MULTILINE)
    elif program == "python":
        said = help_of(*arguments[:2])
        assert [one for one in arguments if one.startswith("--") and one not in said] == []
    else:
        assert program == "tabwarden"
        plain = [a for a in arguments if not a.startswith("-")]
        result = CliRunner().invoke(main, [*plain, "--help"])
        assert result.exit_code == 0
        for option in arguments:
            if option.startswith("--"):
                assert option in result.output


def test_browsers_command_shows_the_browser_in_use() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("tabwarden"), "browsers"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "chrom" in done.stdout.lower()


@pytest.mark.long
def test_documented_mcp_configuration_starts_a_server(tmp_path: Path) -> None:
    code = dict(blocks("json"))["README.md"]
    server = json.loads(code)["mcpServers"]["tabwarden"]
    uvx = shutil.which("uvx") or ROOT / ".tools/bin/uvx"
    assert server["command"] == "uvx"
    arguments = [argument.replace("/path/to/tabwarden", str(ROOT)) for argument in server["args"]]
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        [uvx, "--quiet", "--python", sys.executable, *arguments],
        input=json.dumps(hello) + "\n", capture_output=True, text=True, timeout=110,
        cwd=tmp_path, env={**os.environ, "UV_LINK_MODE": "copy"}, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout.splitlines()[0])
    assert told["result"]["serverInfo"]["name"] == "tabwarden"
    assert "browser_navigate" in told["result"]["instructions"]


@pytest.mark.parametrize("code", [code for page, code in blocks("json") if page == "docs/mcp.md"])
def test_mcp_guide_configurations_use_valid_commands_and_addresses(code: str) -> None:
    ((_, servers),) = json.loads(code).items()
    server = servers["tabwarden"]
    if "url" in server:
        assert server["url"] == f"http://127.0.0.1:{DEFAULT_PORT}/mcp"
        assert server["headers"]["Authorization"].startswith("Bearer ")
        return
    _, _, name, *arguments = server["args"]
    assert (server["command"], name) == ("uvx", "tabwarden")
    result = CliRunner().invoke(main, [*arguments, "--help"])
    assert result.exit_code == 0
    assert all(argument in result.output for argument in arguments)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "ARCHITECTURE.md", "docs/walks.md"])
def test_paths_in_developer_pages_exist(page: str) -> None:
    folders = "|".join(p.name for p in (*ROOT.iterdir(), *SOURCE.iterdir()) if p.is_dir())
    named = re.findall(rf"`((?:{folders})/[\w./]+)`", (ROOT / page).read_text("utf-8"))
    made = {"count.py", "test_count.py"}
    lost = [
        path
        for path in named
        if Path(path).name not in made and not any((top / path).exists() for top in (ROOT, SOURCE))
    ]
    assert len(named) > 20
    assert lost == []


def test_every_page_states_the_same_duration_of_make_test() -> None:
    minutes = (ROOT / "tests/minutes.txt").read_text().strip()
    named = {
        (page.name, time)
        for page in PAGES
        for line in page.read_text("utf-8").splitlines()
        if re.search(r"make test(?! ALL)", line)
        for time in re.findall(r"(\d+) minutes", line)
    }
    assert named == {(page, minutes) for page in ("README.md", "CONTRIBUTING.md", "AGENTS.md")}


def test_every_decision_record_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    pages = {path.name for path in folder.glob("0*.md")}
    listed = set(re.findall(r"\((0.*\.md)\)", (folder / "README.md").read_text("utf-8")))
    in_site = set(re.findall(r"- decisions/(0.*)", (ROOT / "mkdocs.yml").read_text("utf-8")))
    assert listed == in_site == pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_in_pages_exist(page: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target
