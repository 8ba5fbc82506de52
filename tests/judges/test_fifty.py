"""The fifty-agent bench: process metrics, agent behavior, and the table."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.needs import needs
from support.site import Site

from bench.page import origin
from judges.fifty import work
from judges.fifty.__main__ import arguments
from judges.fifty.ring import Result
from judges.fifty.table import FROM, Report, as_json, markdown, put_into
from judges.fifty.tools import Refs
from judges.fifty.work import Log, agent, kind_of, serve_site

ROOT = Path(__file__).parents[2]
METERED = """
import os, subprocess, sys, time
from judges.fifty.meter import adopt_orphans, cpu_s, end_all, memory_mb
adopt_orphans()
busy = "x = bytearray(64 << 20); import time; s = time.process_time()\\n" \
    "while time.process_time() - s < 0.3: pass\\n"
before = cpu_s()
subprocess.run([sys.executable, "-c", busy], check=True)
ended = cpu_s() - before
# The child leaves an orphan behind, as those that start a daemon do.
orphan = busy + "print('ready', flush=True)\\ntime.sleep(600)"
child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {orphan!r}])"
with subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE) as starting:
    starting.stdout.readline()
    starting.wait()
    print(ended, cpu_s() - before - ended, memory_mb(), end_all(), memory_mb())
"""


@needs("linux")
@pytest.mark.long
def test_process_meter_counts_finished_and_orphaned_processes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", METERED], capture_output=True, text=True, timeout=60, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    ended, orphan, memory, killed, after = map(float, done.stdout.split())
    assert ended >= 0.3
    assert orphan >= 0.3
    assert memory >= 64
    assert (killed, after) == (1, 0)


OTHERS = """
from judges.fifty.meter import others_cpu_s
before = others_cpu_s()
print("ready", flush=True)
input()
print(others_cpu_s() - before)
"""
BUSY_S = 0.5


@needs("linux")
def test_process_meter_counts_cpu_time_of_other_processes_separately() -> None:
    busy = f"import time\nwhile time.process_time() < {BUSY_S}: pass"
    with subprocess.Popen(
        [sys.executable, "-c", OTHERS], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as metering:  # fmt: skip
        assert metering.stdout is not None
        assert metering.stdout.readline() == "ready\n"
        subprocess.run([sys.executable, "-c", busy], check=True, timeout=60)
        told, _ = metering.communicate("\n", timeout=60)
    assert float(told) >= BUSY_S - 0.1  # the system counts in hundredths of a second


def fifty(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "judges.fifty", *arguments],
        capture_output=True, text=True, timeout=110, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", **env},
    )  # fmt: skip


SHORT = ("--agents", "2", "--minutes", "0.11", "--only", "tabwarden")
"""Longer than an agent's first pause, so each agent completes at least one round."""


@needs("linux")
@pytest.mark.long
def test_bench_with_two_agents_completes_on_a_real_server(tmp_path: Path) -> None:
    page, told = tmp_path / "page.md", tmp_path / "told.json"
    page.write_text(f"before\n{FROM}\nold")
    done = fifty(*SHORT, "--doc", str(page), "--json", str(told))
    assert done.returncode == 0, done.stderr
    tool = json.loads(told.read_text())["tools"]["tabwarden"]
    assert (tool["agents"], tool["failures"], tool["left"]) == (2, {}, 0)
    assert tool["rounds"] >= 2
    assert tool["calls"] >= 5 * tool["rounds"]
    assert tool["mb_per_agent"] > 20
    assert tool["cpu_s"] > 0
    assert page.read_text().startswith(f"before\n{FROM}\n\nFigures of commit ")


@needs("linux")
@pytest.mark.long
def test_bench_report_lists_a_tool_that_does_not_start(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    done = fifty(*SHORT, "--json", str(told), TABWARDEN_SERVER__MAX_UPLOAD_MB="-1")
    assert done.returncode == 1, done.stderr
    why = "RuntimeError tabwarden serve did not start"
    assert json.loads(told.read_text())["absent"] == {"tabwarden": why}
    assert f"not measured: {why}" in done.stdout


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--agents", "0"), ("--agents", "some"), ("--minutes", "0"), ("--minutes", "nan"),
        ("--minutes", "inf"), ("--doc", "no/page.md"), ("--doc", "README.md"),
        ("--json", "no/folder/told.json"), ("--only", "hammer"),
    ],
)  # fmt: skip
def test_bench_reports_an_invalid_argument_before_it_runs(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arguments().parse_args([option, value])
    assert f"argument {option}: " in capsys.readouterr().err


ROUNDS = 3


class Page:
    """A session whose page does or does not obey, and which ends after some rounds."""

    def __init__(self, *, fails: str = "", forgets: bool = False) -> None:
        self.did: list[str] = []
        self._fails = fails
        self._word = ""
        self._forgets = forgets

    async def goto(self, url: str) -> None:
        if self.did.count("goto") == ROUNDS:
            raise asyncio.CancelledError
        self._do("goto")

    async def snapshot(self) -> str:
        self._do("snapshot")
        return ""

    async def type(self, name: str, text: str) -> None:
        self._do("type")
        self._word = text

    async def click(self, name: str) -> None:
        self._do("click")

    async def evaluate(self, expression: str) -> str:
        self._do("read")
        return "nothing yet" if self._forgets else f"7 with {self._word}"

    def _do(self, what: str) -> None:
        self.did.append(what)
        if what == self._fails:
            raise RuntimeError(f"no element e{len(self.did)}")


def worked(page: Page, monkeypatch: pytest.MonkeyPatch) -> Log:
    """The log of an agent that works without pauses until its session is canceled."""
    monkeypatch.setattr(work, "THINK_S", (0.0, 0.0))
    log = Log()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(agent(page, "http://x/", 1, time.monotonic() + 600, log))
    return log


def test_bench_agent_repeats_its_round(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page()
    log = worked(page, monkeypatch)
    assert page.did == ROUNDS * ["goto", "snapshot", "type", "click", "read"]
    assert (log.rounds, log.failures, len(log.took_ms)) == (ROUNDS, {}, 5 * ROUNDS)


def test_bench_agent_logs_a_failure_by_kind_and_starts_the_next_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = Page(fails="type")
    log = worked(page, monkeypatch)
    assert log.failures == {"type: RuntimeError no element eN": ROUNDS}
    assert page.did == ROUNDS * ["goto", "snapshot", "type"]


def test_bench_round_fails_if_the_page_did_not_receive_the_typed_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = worked(Page(forgets=True), monkeypatch)
    assert log.failures == {"read: the page did not get the word": ROUNDS}
    assert log.rounds == 0


def test_bench_agent_finds_a_ref_by_element_name_in_a_snapshot() -> None:
    refs = Refs()
    refs.read('- textbox "Search" [ref=e3]\n- button "Find" [ref=e4]')
    assert refs.of("Find") == "e4"
    with pytest.raises(LookupError, match="no Pay"):
        refs.of("Pay")


def test_bench_failure_kind_replaces_numbers_with_a_placeholder() -> None:
    assert kind_of(RuntimeError("tab 12 is gone\nmore")) == "RuntimeError tab N is gone"
    assert kind_of(TimeoutError()) == "TimeoutError"


def test_bench_site_serves_a_shop_page_with_a_search_field() -> None:
    with Site() as site:
        assert serve_site(site).endswith("/shop")
        page = site.pages["/shop"]
        assert isinstance(page, str)
        assert "Search" in page


BUSY = 0.2 * (os.cpu_count() or 1)


def report() -> Report:
    log = Log([10.0, 20.0, 30.0], {"goto: boom `x`": 2}, 1)
    result = Result("tabwarden", 4, 3.0, 60.0, 8.0, 60.0 * BUSY, [800.0, 1200.0], log, left=1)
    return Report(
        date="2026-11-26", agents=5, minutes=1, machine={"processor": "2 x P"},
        versions={"tabwarden": "0.1.0 (abc)", "browser": "156"}, results=[result],
        absent={"agent-browser": "not | installed"},
    )  # fmt: skip


def test_bench_table_shows_the_resources_per_agent(tmp_path: Path) -> None:
    text = markdown(report())
    assert "| Tabwarden 0.1.0 (4 agents) | 250 MB | 1.2 GB | 2.00 s | 3 s | 0.1 |" in text
    assert "| agent-browser | not measured: not / installed |" in text
    assert "- Tabwarden, 2 times: `goto: boom 'x'`" in text
    assert "left 1 processes" in text
    assert f"kept {BUSY:.1f} processors busy" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({row.count("|") for row in rows}) == 1
    assert as_json(report())["tools"]["tabwarden"]["mb_per_agent"] == 250
    page = tmp_path / "fifty.md"
    page.write_text(f"before\n{FROM}\nold")
    put_into(page, report())
    said = origin(day="2026-11-26", on={"processor": "2 x P"})
    assert page.read_text() == f"before\n{FROM}\n\n{said}\n\n{text}"
    page.write_text("no mark")
    with pytest.raises(ValueError, match="has no line"):
        put_into(page, report())
