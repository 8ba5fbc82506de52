"""Our side of the tables in docs/switching.md: each line runs on a page like the one it shows."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from browser.surfaces.cli.shell import shell
from click.testing import CliRunner
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.cli.entry import main as program
from tabwarden.tools.sync import Tools

PAGE = (Path(__file__).parents[2] / "docs" / "switching.md").read_text("utf-8")
HERE = "http://localhost:8000"
PRACTICE = """<!doctype html><title>Practice</title>
<a href="#next">Next</a>
<label>Name <input></label>
<label>Email <input></label>
<label>Fruit <select><option>Apple<option>Lemon</select></label>
<label><input type=checkbox> News</label>
<button onclick="this.nextSibling.data = ' Thanks'">Buy</button> <button
 onclick="document.title = prompt('Name?')">Ask</button>
<label>File <input type=file></label>
<button ondragover="event.preventDefault()" ondrop="event.preventDefault()">Here</button>
<script>document.modelContext?.registerTool({
    name: "add", description: "Adds", execute: ({a, b}) => a + b,
    inputSchema: {type: "object", properties: {a: {type: "number"}, b: {type: "number"}}},
})</script>"""
Cell = list[str]
Run = Callable[[str], str]
"""Runs a line, and returns its answer. It raises an AssertionError if the line fails."""


class Way(NamedTuple):
    """What the reader does besides the table's lines."""

    log: str
    open: str
    ask: str
    """Open a dialog."""
    reset: str


def tables() -> list[Any]:
    """The cells of our column, by table."""
    found = []
    for heading, text in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S):
        for number, table in enumerate(re.findall(r"(?:^\|.*\n)+", text, re.M)):
            if "Tabwarden" not in table.splitlines()[0]:
                continue
            rows = [row.split(" | ")[1] for row in table.splitlines()[2:]]
            cells = [re.findall(r"`([^`]+)`", row) for row in rows]
            found.append(pytest.param(cells, id=f"{heading}-{number}".replace(" ", "-")))
    return found


def only_asks(line: str) -> bool:
    """Whether a command needs a file or a folder of the reader's, stays, or is not ours to run."""
    stays = re.match(r"tabwarden (mcp|live|browsers|doctor|daemon|script|import-cookies)\b", line)
    return bool(stays or re.search(r"\b(URL|DIR|FILE|NAME|TEXT)\b|\S+\.webm|--endpoint", line))


def known(line: str) -> None:
    """The command and its options exist."""
    plain = [word for word in shlex.split(line)[1:] if word.startswith("--")]
    asked = CliRunner().invoke(main, [shlex.split(line)[1], "--help"])
    assert asked.exit_code == 0
    assert [word for word in plain if word.partition("=")[0] not in asked.output] == []


def call_of(line: str) -> tuple[str, dict[str, Any]]:
    """A call in the form of our hints: its tool and arguments."""
    call = ast.parse(re.sub(r"\b(true|false)\b", lambda found: found[0].title(), line), mode="eval")
    assert isinstance(call.body, ast.Call)
    assert isinstance(call.body.func, ast.Name)
    return call.body.func.id, {
        str(given.arg): ast.literal_eval(given.value) for given in call.body.keywords
    }


TOOLS = Way(
    log="browser_network()",
    open=f'browser_navigate(url="{HERE}/", snapshot="full")',
    ask='browser_click(ref="e7")',
    reset="browser_emulate(reset=true)",
)
COMMANDS = Way(
    log="tabwarden network",
    open=f"tabwarden goto {HERE}/ --snapshot full",
    ask="tabwarden click e7",
    reset="tabwarden emulate --reset",
)


def by_tools(tools: Tools) -> Run:
    def run(line: str) -> str:
        answer = tools.call(*call_of(line))
        assert not answer.is_error, f"{line}: {answer.text}"
        return answer.text

    return run


def by_commands(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Commands in this process, whose answers come from a session's daemon as ever."""

    def run(line: str) -> str:
        patch.setattr(sys, "argv", shlex.split(line))
        with pytest.raises(SystemExit) as ended:
            program()
        said = capsys.readouterr()
        assert not ended.value.code, f"{line}: {said.err}"
        return said.out

    return run


class Reader:
    """Somebody who tries each row of a table on a fresh page."""

    def __init__(self, run: Run, way: Way, url: str) -> None:
        self._run = run
        self._way = way
        self._url = url
        self._refs_from = 0

    def try_out(self, cells: list[Cell]) -> None:
        for cell in filter(None, cells):
            text = " ".join(cell)
            if "r-1" in text:  # the log of requests begins with its first call
                self._line(self._way.log)
            first = re.search(r"\[ref=e(\d+)\]", self._line(self._way.open))
            assert first is not None
            self._refs_from = int(first[1]) - 1
            if "dialog" in text:
                self._line(self._way.ask)
            for line in cell:
                self._line(line)
            if "emulate" in text:
                self._line(self._way.reset)

    def _line(self, line: str) -> str:
        """Run a line with the refs and the address of the page that is here now."""
        refs = re.sub(r"\be(\d)\b", lambda ref: f"e{self._refs_from + int(ref[1])}", line)
        return self._run(refs.replace(HERE, self._url))


@pytest.fixture
def practice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    for name in ("upload", "download", "output", "state"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"TABWARDEN_BROWSER__{name.upper()}_DIR", str(tmp_path / name))
    (tmp_path / "upload" / "cv.pdf").write_text("%PDF")
    monkeypatch.chdir(tmp_path)
    with Site() as site:
        site.pages["/"] = PRACTICE
        yield site


@pytest.mark.parametrize("cells", tables())
def test_our_side_of_the_table_works(
    cells: list[Cell],
    practice: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    commands = [[line for line in cell if line.startswith("tabwarden ")] for cell in cells]
    for line in (line for cell in commands for line in cell if only_asks(line)):
        known(line)
    to_run = [[line for line in cell if not only_asks(line)] for cell in commands]
    calls = [[line for line in cell if line.startswith("browser_")] for cell in cells]
    assert any(map(any, commands + calls))
    if any(calls):
        with Tools(BrowserConfig()) as tools:
            Reader(by_tools(tools), TOOLS, practice.there).try_out(calls)
    if any(to_run):
        with shell(tmp_path) as made:
            for name, value in made.env.items():
                monkeypatch.setenv(name, value)
            Reader(by_commands(monkeypatch, capsys), COMMANDS, practice.there).try_out(to_run)
