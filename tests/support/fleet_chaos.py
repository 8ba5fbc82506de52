"""Random faults on a fleet of three nodes on a real Ray, while agents work (`make fleet-chaos`).

Each task's page tells a server of ours ten times a second that it lives, with its generation. So a
browser that goes on after its task has a new one is seen, whatever the fleet believes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

PORT = 6393
HEAD = f"127.0.0.1:{PORT}"
NODES = {"n1": "127.0.0.1", "n2": "127.0.0.2", "n3": "127.0.0.3"}
KINDS = ("host killed", "host stopped", "coordinator killed", "coordinator stopped", "node killed")
BUDGET_MS = 5_000
LATE_MS = 500
"""A call may return this much after its budget."""
STOPPED_S = 5.0
AGENTS = 6
TOLD_WITHIN_S = 4.0

PAGE = b"""<!doctype html><title>alive</title><script>
const name = location.search;
setInterval(() => fetch('/beat' + name, {method: 'POST', keepalive: true}), 100);
</script>"""


class Beats:
    """The server of the agents' pages: which generation of each task lived when."""

    def __init__(self) -> None:
        self.lived: dict[tuple[str, int], list[float]] = defaultdict(list)
        lived = self.lived

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(PAGE)))
                self.end_headers()
                self.wfile.write(PAGE)

            def do_POST(self) -> None:
                given = parse_qs(urlsplit(self.path).query)
                lived[given["task"][0], int(given["generation"][0])].append(time.monotonic())
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                """A browser that is killed hangs up."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def double_owners(self) -> list[tuple[str, int, int, float]]:
        """Each task that lived in an older browser after it had begun to live in a newer one, with
        the two generations and the seconds in between."""
        found = []
        for (task, newer), beats in self.lived.items():
            for (other, older), before in self.lived.items():
                if other == task and older < newer and max(before) > min(beats):
                    found.append((task, older, newer, round(max(before) - min(beats), 3)))
        return found


class Agent:
    """Works on one task, and notes each call that was late or told of a loss."""

    def __init__(self, fleet: Any, task: str, beats: Beats) -> None:
        self._fleet = fleet
        self.task = task
        self._beats = beats
        self.calls = 0
        self.late: list[float] = []
        self.told: list[tuple[float, int]] = []
        """When a call told of a new browser, and its generation."""
        self.others: dict[str, int] = defaultdict(int)

    async def work(self) -> None:
        from tabwarden.errors import TabwardenError

        while True:
            try:
                async with self._fleet.browser(self.task, timeout_ms=30_000) as browser:
                    await self._use(browser)
            except TabwardenError as error:
                self.others[error.code] += 1
                await asyncio.sleep(0.2)

    async def _use(self, browser: Any) -> None:
        from tabwarden.errors import BrowserGone, TabwardenError

        generation = browser._task.supervisor.endpoint._opened.generation
        await self._visit(browser, generation)
        while browser.state.health.status != "gone":
            began = time.monotonic()
            try:
                await browser.evaluate("document.title", timeout_ms=BUDGET_MS)
            except BrowserGone as gone:
                if "generation" in gone.data:
                    self.told.append((time.monotonic(), gone.data["generation"]))
                    await self._visit(browser, gone.data["generation"])
            except TabwardenError as error:
                self.others[error.code] += 1
            self.calls += 1
            taken_ms = (time.monotonic() - began) * 1000
            if taken_ms > BUDGET_MS + LATE_MS:
                self.late.append(taken_ms)
            await asyncio.sleep(0.05)

    async def _visit(self, browser: Any, generation: int) -> None:
        url = f"{self._beats.url}?task={self.task}&generation={generation}"
        await browser.goto(url, timeout_ms=BUDGET_MS)


def tabwarden(*words: str, node: str = "") -> str:
    environment = dict(os.environ)
    if node:
        environment["TABWARDEN_FLEET__NODE"] = node
    done = subprocess.run(
        (sys.executable, "-m", "tabwarden.surfaces.cli", *words),
        env=environment, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def join(node: str) -> None:
    head = () if node == "n1" else (HEAD, "--listen", NODES[node])
    tabwarden("fleet", "up", *head, "--port", str(PORT), "--node", node)


@contextmanager
def cluster() -> Iterator[None]:
    try:
        for node in NODES:
            join(node)
        yield
    finally:
        tabwarden("fleet", "stop")


def processes(name: str) -> dict[int, tuple[int, str]]:
    """The processes whose command line has ``name``: their parents and command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            line = (folder / "cmdline").read_text().replace("\0", " ")
            if name in line:
                stat = (folder / "stat").read_text()
                found[int(folder.name)] = int(stat.rpartition(")")[2].split()[1]), line
    return found


def raylet_of(node: str) -> int:
    """Ray gives the head, which listens on 127.0.0.1, an address of the machine."""
    for pid, (_, line) in processes("raylet/raylet --").items():
        address = line.partition("--node_ip_address=")[2].split()[0]
        if address == NODES[node] or (node == "n1" and address not in NODES.values()):
            return pid
    raise RuntimeError(f"no raylet of {node}")


def host_of(node: str) -> int:
    raylet = raylet_of(node)
    for pid, (parent, _) in processes("ray::HostActor").items():
        if parent == raylet:
            return pid
    raise RuntimeError(f"no host of {node}")


def browsers() -> int:
    """How many browsers run that a host has started."""
    return sum("tabwarden-host-" in line or "--type=" not in line
               for _, line in processes("--remote-debugging-port=0").values())  # fmt: skip


async def fault(kind: str, node: str) -> None:
    """Do it, and undo what can be undone."""
    if kind.startswith("host"):
        victim = host_of(node)
    elif kind.startswith("coordinator"):
        victim = next(iter(processes("ray::Coordinator")))
    else:
        host, raylet = host_of(node), raylet_of(node)
        os.kill(raylet, signal.SIGKILL)
        os.kill(host, signal.SIGKILL)
        await asyncio.sleep(STOPPED_S)
        await asyncio.to_thread(join, node)
        return
    if kind.endswith("stopped"):
        os.kill(victim, signal.SIGSTOP)
        await asyncio.sleep(STOPPED_S)
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGCONT)
    else:
        os.kill(victim, signal.SIGKILL)


async def whole(fleet: Any, nodes: int) -> bool:
    """Wait until all nodes are up; return whether they came."""
    from tabwarden.errors import TabwardenError

    for _ in range(300):
        with suppress(TabwardenError):
            up = [node.node for node in (await fleet.status()).nodes if node.state == "up"]
            if len(set(up)) == nodes:
                return True
        await asyncio.sleep(0.3)
    return False


async def run(deaths: int, kinds: list[str], seed: int) -> dict[str, Any]:
    from tabwarden.fleet import Fleet

    chance, beats = random.Random(seed), Beats()
    rows: dict[str, dict[str, Any]] = {}
    async with Fleet.connect(HEAD) as fleet:
        agents = [Agent(fleet, f"a{number}", beats) for number in range(AGENTS)]
        working = [asyncio.create_task(agent.work()) for agent in agents]
        await asyncio.sleep(5)
        for kind in kinds:
            row = rows[kind] = {"deaths": 0, "losses": 0, "told_s": [], "untold": 0}
            for _ in range(deaths):
                if not await whole(fleet, len(NODES)):
                    row["not_whole"] = row.get("not_whole", 0) + 1
                    continue
                await asyncio.sleep(1.5)
                node = chance.choice([*NODES][1 if kind == "node killed" else 0 :])
                on_it = {one.task for one in (await fleet.status()).tasks if one.node == node}
                at = time.monotonic()
                await fault(kind, node)
                row["deaths"] += 1
                hit = on_it if not kind.startswith("coordinator") else set()
                row["losses"] += len(hit)
                for agent in agents:
                    if agent.task in hit:
                        row["told_s"] += await _told_after(agent, at, row)
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
    return {
        "kinds": {kind: _summed(row) for kind, row in rows.items()},
        "calls": sum(agent.calls for agent in agents),
        "late_calls": [late for agent in agents for late in agent.late],
        "double_owners": beats.double_owners(),
        "other_errors": {k: v for agent in agents for k, v in agent.others.items()},
    }


async def _told_after(agent: Agent, at: float, row: dict[str, Any]) -> list[float]:
    for _ in range(150):
        for when, _generation in agent.told:
            if when > at:
                return [when - at]
        await asyncio.sleep(0.1)
    row["untold"] += 1
    return []


def _summed(row: dict[str, Any]) -> dict[str, Any]:
    told = sorted(row.pop("told_s"))
    within = sum(one <= TOLD_WITHIN_S for one in told)
    return {
        **row,
        "told_p50_s": round(median(told), 2) if told else None,
        "told_p95_s": round(told[int(len(told) * 0.95)], 2) if told else None,
        "told_max_s": round(told[-1], 2) if told else None,
        "told_within_4_s": f"{within} of {len(told)}",
    }


def main(words: list[str] | None = None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deaths", type=int, default=3, help="of each kind")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="tw-chaos-", ignore_cleanup_errors=True) as home:
        os.environ.update(
            HOME=home, TABWARDEN_FLEET__MAX_TASKS_PER_NODE="8", TABWARDEN_FLEET__WARM="2",
            TABWARDEN_FLEET__MIN_FREE_MEMORY_MB="0",
        )  # fmt: skip
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ.pop(name, None)
        with cluster():
            try:
                told = asyncio.run(run(given.deaths, given.kinds, given.seed))
            finally:
                sys.modules["ray"].shutdown()  # else Ray ends this process with its cluster
        limit = time.monotonic() + 20
        while browsers() and time.monotonic() < limit:
            time.sleep(0.2)
        told["browsers_left"] = browsers()
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    if given.json:
        given.json.write_text(json.dumps(told))
    return told


if __name__ == "__main__":
    found = main()
    bad = found["double_owners"] or found["late_calls"] or found["browsers_left"]
    sys.exit(1 if bad else 0)
