"""Our side of the tables in docs/switching.md: each line runs on a matching page."""

from __future__ import annotations

import ast
import os
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
from tabwarden.actions import ACTIONS
from tabwarden.actions.other_names import meant_tool
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.cli.entry import main as program
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.command_table.line import Line
from tabwarden.tools.sync import Tools

PAGE = (Path(__file__).parents[2] / "docs" / "switching.md").read_text("utf-8")
HERE = "http://localhost:8000"
TABLE = table()
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
"""Run a line and return its output; raise AssertionError if the line fails."""


class Way(NamedTuple):
    """The reader's actions beside the table's lines."""

    log: str
    open: str
    ask: str
    """Open a dialog."""
    reset: str


def cells(begin: str, *, asks: bool = False) -> list[Cell]:
    """The lines with this prefix, by cell of our column, without cells that have no new line."""
    rows = re.findall(r"^\|.*?[^\\] \| (.*) \|$", PAGE.partition("## Side by side")[0], re.M)
    found = [
        [line for line in re.findall(r"`([^`]+)`", row) if line.startswith(begin)] for row in rows
    ]
    seen: set[str] = set()
    chosen = []
    for cell in ([line for line in cell if only_asks(line) == asks] for cell in found):
        if not seen.issuperset(cell):
            chosen.append(cell)
        seen.update(cell)
    return chosen


STAYS = r"""(?x) tabwarden\ (mcp | live | browsers | doctor | daemon | script | import-cookies
    | disconnect | install | audit)\b | browser_audit"""  # an audit needs axe-core


def only_asks(line: str) -> bool:
    """Whether a command needs a reader's file or folder, does not exit, or is not ours."""
    stays = re.match(STAYS, line)
    return bool(stays or re.search(r"\b(URL|DIR|FILE|NAME|TEXT)\b|\S+\.webm|--endpoint", line))


def known(line: str) -> None:
    """The command and its options exist."""
    words = shlex.split(line.partition("<")[0])[1:]
    plain = [word for word in words if not word.startswith("-")]
    asked = CliRunner().invoke(main, [*plain, "--help"])
    assert asked.exit_code == 0, line
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    assert [option for option in options if option not in asked.output] == [], line


def call_of(line: str) -> tuple[str, dict[str, Any]]:
    """A call in our hint format: its tool and arguments."""
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
    """Commands in this process, with results from a session's daemon."""

    patch.setattr(os, "_exit", sys.exit)

    def run(line: str) -> str:
        patch.setattr(sys, "argv", shlex.split(line))
        with pytest.raises(SystemExit) as ended:
            program()
        said = capsys.readouterr()
        assert not ended.value.code, f"{line}: {said.err}"
        return said.out

    return run


class Reader:
    """A reader who tries each row of a table on a fresh page."""

    def __init__(self, run: Run, way: Way, url: str) -> None:
        self._run = run
        self._way = way
        self._url = url
        self._refs_from = 0

    def try_out(self, cells: list[Cell]) -> None:
        failed = []
        ends = {"tabwarden close", "browser_close()"}  # last, because a new browser takes long
        for cell in sorted(cells, key=lambda cell: not ends.isdisjoint(cell)):
            try:
                self._try(cell, " ".join(cell))
            except AssertionError as error:
                failed.append(str(error))
        assert not failed, "\n".join(failed)

    def _try(self, cell: Cell, text: str) -> None:
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
        """Run a line with the refs and the URL of the current page."""
        refs = re.sub(r"\be(\d)\b", lambda ref: f"e{self._refs_from + int(ref[1])}", line)
        return self._run(refs.replace(HERE, self._url))


@pytest.fixture
def practice() -> Iterator[Site]:
    with Site() as site:
        site.pages["/"] = PRACTICE
        yield site


@pytest.mark.long
def test_tool_calls_on_the_switching_page_work(practice: Site, tmp_path: Path) -> None:
    (tmp_path / "cv.pdf").write_text("%PDF")
    with Tools(BrowserConfig(upload_dir=tmp_path)) as tools:  # as the page says: --upload-dir
        Reader(by_tools(tools), TOOLS, practice.there).try_out(cells("browser_"))


@pytest.mark.timeout(400)  # a hundred commands
@pytest.mark.long
def test_tabwarden_commands_on_the_switching_page_work(
    practice: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with shell(tmp_path) as made:
        for name, value in made.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(made.folder)
        (made.folder / "cv.pdf").write_text("%PDF")
        run = by_commands(monkeypatch, capsys)
        Reader(run, COMMANDS, practice.there).try_out(cells("tabwarden "))


def test_interactive_commands_on_the_switching_page_exist() -> None:
    for cell in cells("tabwarden ", asks=True):
        for line in cell:
            known(line)


class Theirs(NamedTuple):
    """A line of another tool, and our commands or tools in its row."""

    line: str
    ours: list[str]


def their_commands() -> list[Theirs]:
    """The command lines of other tools. A row omits the program name in its later lines."""
    found = []
    for theirs, ours in re.findall(
        r"^\| (`(?:playwright-cli|agent-browser|openclaw browser) .*?) \| (.*) \|$", PAGE, re.M
    ):
        for span in re.findall(r"`([^`]+)`", theirs):
            line = re.sub(r"^(playwright-cli|agent-browser|openclaw browser) ", "", span)
            if re.match(r"[a-z][a-z0-9-]+", line):
                found.append(Theirs(line, re.findall(r"`tabwarden ([\w-]+)", ours)))
    return found


def answer_to(line: str) -> str:
    """Our command for another tool's line, or the hint in its error."""
    words = shlex.split(line)
    name = TABLE["aliases"].get(words[0], words[0])
    command = TABLE["commands"].get(name)
    if command is None:
        return CliRunner().invoke(main, [*words, "--help"], prog_name="tabwarden").output
    try:
        Line(name, words[1:], TABLE)
    except InvalidArgument as error:
        return error.hint
    return f"tabwarden {name}"


def test_documented_rival_commands_map_to_tabwarden_commands() -> None:
    lost = {}
    for line, ours in their_commands():
        answer = answer_to(line)
        named = {TABLE["aliases"].get(one, one) for one in ours}
        said = re.findall(r"tabwarden\s+([\w-]+)", answer)
        if named.isdisjoint(TABLE["aliases"].get(one, one) for one in said):
            lost[line] = answer
    assert len(their_commands()) > 60
    assert lost == {}


def test_documented_rival_tool_names_map_to_tabwarden_tools() -> None:
    rows: dict[str, str] = {}
    for theirs, ours in re.findall(r"^\| (`[a-z_]+`(?:[:,].*?)?) \| (`browser_.*) \|$", PAGE, re.M):
        for name in re.findall(r"(?:^|, )`([a-z_]+)`", theirs.partition(":")[0]):
            rows[name] = rows.get(name, "") + ours
    steps = {name: meant_tool(name, ACTIONS) for name in rows}
    lost = [
        name
        for name, step in steps.items()
        if step is None or f"browser_{step.action}(" not in rows[name]
    ]
    assert len(rows) > 60
    assert lost == []
