"""The short way of a command prints the same as the long way, and leaves to it what it can't do."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.cli.shell import PROGRAM, Shell
from support.pace import in_time
from support.site import Site

from tabwarden.surfaces.cli.act import act
from tabwarden.surfaces.cli.warm import run_warm
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.command_table.line import action_in

Bytes = pytest.CaptureFixture[bytes]
SAME = [
    ["eval", "1 + 1"],
    ["eval", "1 + 1", "--json"],
    ["script", "({a: [1, 2.50, null], 'b': 'é😀'})"],
    ["eval", "({a: [1, 2.50, null], 'b': 'é😀'})", "--json"],
    ["eval", "'\\ud800 \\x1b[2J'"],
    ["eval", "'\\ud800 \\x1b[2J'", "--json"],
    ["eval", os.fsdecode(b"'\xff \xc3\xa9'.length")],
    ["eval", "''"],
    ["eval", "throw new Error('no \\\"luck\\\"')"],
    ["eval", "throw new Error('no luck')", "--json"],
    ["eval", "new Promise(() => {})", "--timeout-ms", "300"],
    ["eval", "1 + 1", "--timeout-ms", "0"],
    ["eval", "1 + 1", "--timeout_ms=x"],
    ["eval", "1 + 1", "--session", "default"],
    ["eval", "1 + 1", "--session=default"],
    ["eval", "--", "-1"],
    ["browser_evaluate", "2 + 2"],
    ["snapshot"],
    ["snapshot", "--json"],
    ["find", "Buy"],
    ["click", "e999"],
    ["click", "e999", "--json"],
    ["click", "e1", "--cuont", "2"],
    ["click", "e1", "--count", "2x", "--json"],
    ["click", "e1", "left"],
    ["click", "t1"],
    ["click", "-x", "1"],
    ["press"],
    ["press", "F13"],
    ["dialog", "acept"],
    ["dialog", "accept"],
    ["cookies"],
    ["fill", "Name=Ann"],
    ["fill", "[1"],
    ["tabs"],
    ["batch", "eval 1", "eval 'é'"],
    ["batch", "evil 1"],
    ["batch", "# nothing"],
    ["batch", "[1]"],
]
DECLINED = [
    ["eval", "-"],
    ["batch"],
    ["batch", "eval -"],
    ["batch", "pdf page.pdf"],
    ["screenshot"],
    ["pdf", "page.pdf"],
    ["upload", "e1", "cv.pdf"],
    ["open", "about:blank", "--headed"],
    ["close"],
    ["click", "--help"],
    ["eval", "1", "--session", "no/name"],
    ["eval", "1", "--session", "other"],
    ["trace", "list"],
    ["status"],
    ["evil", "1"],
]


@pytest.fixture
def here(shared_shell: Shell, site: Site, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The shell's session, also for commands in this process."""
    page = "<button onclick='confirm(1)'>Buy</button><input aria-label=Name>"
    shared_shell.ok("goto", site.page("/", page, title="Shöp"))
    shared_shell.ok("fill", "Name=Ann")
    for name, value in shared_shell.env.items():
        monkeypatch.setenv(name, value)
    return shared_shell


def lasting(said: Iterable[bytes]) -> list[bytes]:
    """What a command wrote, without the marks, ids and times that differ in each answer."""
    changing = rb"(?<=page )[0-9a-f]{8}|d-\w+|\d+ ms|\d+\.\d+"
    return [re.sub(changing, b"_", words) for words in said]


def by_long_way(words: list[str]) -> int:
    commands = table()
    action = action_in(words, commands)
    assert action is not None
    return act(*action, commands)


@pytest.mark.parametrize("words", SAME, ids=ascii)
def test_both_ways_print_the_same_bytes_and_return_the_same_status(
    here: Shell, words: list[str], capfdbinary: Bytes
) -> None:
    by_long_way(words)  # so that nothing has changed since the last answer
    capfdbinary.readouterr()
    status = run_warm(words)
    short = lasting(capfdbinary.readouterr())
    assert status == by_long_way(words)
    assert short == lasting(capfdbinary.readouterr())
    assert any(short)


def test_both_ways_print_the_same_for_a_dialog(here: Shell, capfdbinary: Bytes) -> None:
    button = here.ref("Buy")
    said = []
    for run in (by_long_way, run_warm, by_long_way):  # the first click also moves the focus
        for words in (["click", button], ["snapshot"], ["dialog", "--json"]):
            run(words)
        here.ok("dialog", "dismiss")
        said.append(lasting(capfdbinary.readouterr()))
    assert b"confirm" in said[1][0]
    assert said[1] == said[2]


@pytest.mark.parametrize("words", DECLINED, ids=ascii)
def test_short_way_declines_a_command_that_needs_the_clients_machine(
    here: Shell, words: list[str], capfdbinary: Bytes
) -> None:
    assert run_warm(words) is None
    assert capfdbinary.readouterr() == (b"", b"")
    assert here.value("document.querySelector('input').value") == "Ann"


def asked(shell: Shell, **first: Any) -> dict[str, Any]:
    """The daemon's first line in response to a client's first line."""
    with socket.socket(socket.AF_UNIX) as client, client.makefile("rwb") as lines:
        client.connect(str(shell.socket))
        lines.write(json.dumps({"token": "", **first}).encode() + b"\n")
        lines.flush()
        answer: dict[str, Any] = json.loads(lines.readline())
        return answer


def test_daemon_declines_words_of_another_build_and_of_another_session(here: Shell) -> None:
    build, words = table()["build"], [word.encode().hex() for word in ("eval", "window.ran = 1")]
    ours, other = b"default".hex(), b"other".hex()
    assert asked(here, build="0.0.1+0", session=ours, words=words)["build"] == build
    assert asked(here, build=build, session=other, words=words)["build"] == build
    assert here.value("window.ran") is None
    assert "budget_ms" in asked(here, build=build, session=ours, words=words)


def test_command_does_not_run_after_a_suspended_daemon_continues(here: Shell) -> None:
    os.kill(here.pid, signal.SIGSTOP)
    try:
        with in_time(0.3, overrun_s=3.0):  # a program has to start
            words = here.fail("eval", "window.late = true", "--timeout-ms", "300", status=3)
        with in_time(0, overrun_s=4.0):
            assert "Usage: tabwarden" in here.ok("eval", "--help")
            here.ok("trace", "list")
    finally:
        os.kill(here.pid, signal.SIGCONT)
    assert words.startswith("error endpoint_unreachable: The daemon of session 'default' (process")
    assert here.value("window.late") is None


def test_command_with_closed_streams_writes_nothing_into_its_socket(here: Shell) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{PROGRAM} eval 'window.ran = 1' >&- 2>&-"],
        env=here.env, cwd=here.folder, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert here.value("window.ran") == 1


def test_short_way_needs_a_daemon(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(folder))
    assert run_warm(["eval", "1"]) is None
