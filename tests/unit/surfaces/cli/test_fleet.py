"""``tabwarden fleet``: invalid options, and the wait for a drained node."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from support.needs import require
from support.simulated_fleet import FarStore, World

from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.surfaces.cli import main
from tabwarden.surfaces.cli.commands.fleet import empty, node_lines


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("up", "10.0.0.1:6380", "--listen", "10.0.0.2", "--port", "7000"), "port"),
        (("up", "10.0.0.1:6380", "--listen", "10.0.0.2", "--store", "redis://h"), "store"),
        (("up", "10.0.0.1:6380"), "fleet.listen"),
        (("attach", "10.0.0.1:6380"), "fleet.listen"),
        (("up", "--listen", "alpha"), "fleet.listen"),
        (("secrets", "--listen", "alpha"), "fleet.listen"),
        (("up", "10.0.0.1:6380", "--listen", "10.0.0.2"), "TABWARDEN_FLEET_SECRETS"),
        (("drain", "beta", "--undo", "--wait"), "wait"),
    ],
)
def test_fleet_commands_report_an_invalid_option_before_they_start_processes(
    words: tuple[str, ...], field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("ray")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", str(tmp_path / "secrets"))
    done = CliRunner().invoke(main, ["fleet", *words, "--json"])
    assert json.loads(done.output)["error"]["data"]["field"] == field, done.output
    assert done.exit_code != 0
    assert not (tmp_path / "secrets").exists()


def test_fleet_drain_wait_ends_when_the_last_task_has_left_the_node() -> None:
    with closing(World(TableSettings(), FarStore())) as world:
        world.add_host("n0", 1.0)
        world.calm(2)
        world.acquire("t", world.current)
        world.calm(2)
        world.run(world.current.drain("n0"))
        world.store.is_far = True
        waiting = world.start(empty(world.current, "n0", poll_s=0))
        world.settle()
        world.store_call_ends(0, "lost")
        world.settle()
        assert not waiting.done(), "a coordinator that does not answer says nothing of the node"
        world.store_answers()
        assert not waiting.done()
        world.store.is_far = False
        world.release(world.leases[0], world.current)
        world.store_answers()
        assert waiting.done()
        assert waiting.exception() is None


def test_fleet_status_marks_an_overloaded_node() -> None:
    with closing(World(TableSettings(), FarStore())) as world:
        world.add_host("n0", 1.0)
        world.calm(2)
        world.acquire("t", world.current)
        world.calm(2)
        lines = node_lines(msgspec.to_builtins(world.run(world.current.status())))
        assert len(lines) == 2
        world.pass_time(1.2)  # half a second before its lease would have expired
        world.calm(2)
        lines = node_lines(msgspec.to_builtins(world.run(world.current.status())))
        assert lines[-1].startswith("n0 is too busy: 1 lease renewal(s)")
