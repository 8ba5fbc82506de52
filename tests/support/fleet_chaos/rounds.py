"""Rounds of one fault each, while agents work, and their results."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from threading import Thread
from typing import Any

import msgspec

from support.fleet_chaos.beats import Beats
from support.fleet_chaos.cluster import NODES, Cluster
from support.fleet_chaos.faults import KINDS, candidates
from support.fleet_chaos.machines import OUTSIDE, Process, browsers, processes
from support.fleet_history import History, violations

LATE_MS = 500
"""The allowed time beyond a call's budget."""
_WHOLE_S, _GOES_ON_S, _ORPHANED_S = 60.0, 60.0, 10.0


class Round(msgspec.Struct):
    """What one fault led to.

    Attributes:
        hit: how many tasks ran on the node.
        told_s: for each of them that lost its browser, the time from when its first failed call
            began, or from the fault if that came later, until a call told of the loss and of the
            new generation, in seconds.
        others: how many other tasks lost their browsers.
        stuck: tasks that did not work again.
        late: calls that took more than their budget and ``LATE_MS``, in words.
        double_owners: what the history does not allow.
        orphans: browsers without a host.
        wrong: what else went wrong.
    """

    kind: str
    node: str
    hit: int = 0
    told_s: list[float] = []
    others: int = 0
    stuck: list[str] = []
    late: list[str] = []
    double_owners: list[str] = []
    orphans: int = 0
    wrong: str = ""
    load: float = 0.0


class Agents:
    """The agents' process, and its output."""

    def __init__(self, cluster: Cluster, pages: str, count: int, seed: int) -> None:
        self.names = [f"a{number}" for number in range(count)]
        self.said: list[dict[str, Any]] = []
        self.status: dict[str, Any] = {"nodes": {}, "tasks": {}, "at": 0.0}
        self.process = cluster.client.start(
            sys.executable, "-m", "support.fleet_chaos.agents",
            cluster.address, pages, str(count), str(seed), stdout=subprocess.PIPE,
        )  # fmt: skip
        Thread(target=self._hear, daemon=True).start()

    def since(self, at: float) -> list[dict[str, Any]]:
        return [one for one in self.said[:] if one["at"] >= at]

    def on(self, node: str) -> set[str]:
        return {task for task, where in self.status["tasks"].items() if where == node}

    def working(self, at: float) -> set[str]:
        """Return the tasks with a successful call that started after ``at``."""
        return {one["task"] for one in self.since(at)
                if one.get("code") == "" and one["call"] not in ("open", "close")
                and one["at"] - one["took_ms"] / 1000 > at}  # fmt: skip

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                told = json.loads(line)
                if "nodes" in told:
                    self.status = told
                else:
                    self.said.append(told)


class Run:
    """A cluster, its agents, and the rounds so far."""

    def __init__(self, cluster: Cluster, agents: int, seed: int) -> None:
        self.cluster = cluster
        self.rounds: list[Round] = []
        self._chance = random.Random(seed)
        self._beats = Beats(OUTSIDE)
        self._seed, self._count = seed, agents
        self._known: set[str] = set()
        self.agents = self._new_agents()
        if not _await(lambda: bool(self.agents.said) or self._agents_ended(), _WHOLE_S * 2):
            raise RuntimeError("the agents do not begin")

    def round(self, kind: str) -> Round:
        """Wait until everything works, cause one fault, and wait until everything works again."""
        one = Round(kind, self._chance.choice(candidates(kind) or ("",)))
        self._make_whole(one)
        one.load = _load()
        hit = self.agents.on(one.node)
        one.hit = len(hit)
        at = time.monotonic()
        try:
            KINDS[kind](self.cluster, one.node)
        except (RuntimeError, ValueError, OSError) as error:
            one.wrong += f"{error} "
        mended = time.monotonic()
        _await(lambda: self.agents.working(mended) >= {*self.agents.names}, _GOES_ON_S)
        one.stuck = sorted({*self.agents.names} - self.agents.working(mended))
        self._judge(one, at, hit)
        self.rounds.append(one)
        return one

    def down(self) -> int:
        """Stop the agents and the fleet; return the number of remaining browsers."""
        self.agents.process.send_signal(signal.SIGTERM)
        for node in reversed(NODES):
            self.cluster.leave(node)
        _await(lambda: not browsers(), _ORPHANED_S)
        return len(browsers())

    # -- inside -------------------------------------------------------------------------------

    def _agents_ended(self) -> bool:
        return self.agents.process.poll() is not None

    def _new_agents(self) -> Agents:
        return Agents(self.cluster, self._beats.url, self._count, self._seed)

    def _make_whole(self, one: Round) -> None:
        """Wait until all nodes are up and all agents work; restart what does not restart itself."""
        if self._agents_ended():
            one.wrong += "the agents' process ended "
            self.agents = self._new_agents()
        began = time.monotonic()
        if not _await(lambda: self._is_whole(began), _WHOLE_S):
            nodes = self.agents.status["nodes"]
            for node in NODES[1:]:
                if nodes.get(node) != "up":
                    one.wrong += f"{node} did not come back by itself "
                    self.cluster.nodes[node].lose_power()
                    self.cluster.restart(node)
            _await(lambda: self._is_whole(began), _WHOLE_S)
        started = time.monotonic()
        _await(lambda: self.agents.working(started) >= {*self.agents.names}, _WHOLE_S)

    def _is_whole(self, since: float) -> bool:
        """Whether the coordinator has reported after ``since`` that all nodes are up."""
        status = self.agents.status
        return status["at"] > since and all(status["nodes"].get(node) == "up" for node in NODES)

    def _judge(self, one: Round, at: float, hit: set[str]) -> None:
        failed, told = dict[str, float](), dict[str, float]()
        for said in self.agents.since(at):
            if said.get("code"):
                failed.setdefault(said["task"], max(at, said["at"] - said["took_ms"] / 1000))
            if "generation" in said and said["task"] not in told:
                told[said["task"]] = said["at"] - failed[said["task"]]
            if said.get("took_ms", 0) > said.get("budget_ms", 0) + LATE_MS:
                one.late.append(f"{said['task']} {said['call']}: {said['took_ms']:.0f} ms "
                                f"of {said['budget_ms']} ({said['code'] or 'ok'})")  # fmt: skip
        one.told_s = sorted(round(after, 2) for task, after in told.items() if task in hit)
        one.others = len(told.keys() - hit)
        wrong = {*violations(History([*self._owned()]))} - self._known
        self._known |= wrong
        one.double_owners = sorted(wrong)
        _await(lambda: not self._orphans(), _ORPHANED_S)
        orphans = self._orphans()
        one.orphans = len(orphans)
        one.wrong += " ".join(f"left: {left} of {left.parent}" for left in orphans)

    def _owned(self) -> list[Any]:
        """Return the lifetimes; a generation also counts from its first report to a client."""
        began = dict[tuple[str, int], float]()
        for said in self.agents.said[:]:
            if "began" in said:
                began.setdefault((said["task"], said["began"]), said["at"])
        return [
            msgspec.structs.replace(
                one, since=min(one.since, began.get((one.task, one.generation), one.since))
            )
            for one in self._beats.owned()
        ]

    def _orphans(self) -> list[Process]:
        """Return the browsers without a host."""
        hosts = {one.pid for one in processes("ray::HostActor")}
        return [one for one in browsers() if one.parent not in hosts]


def _await(condition: Callable[[], bool], within_s: float) -> bool:
    until = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _load() -> float:
    return round(os.getloadavg()[0], 1)
