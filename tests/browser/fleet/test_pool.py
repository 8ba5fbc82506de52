"""The warm pool, with browsers that start on the test's command."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import pytest
from support.eventually import eventually_async

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.fleet.hosting.pool import Pool

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_pool_replaces_a_dead_browser_once_while_other_browsers_start(tmp_path: Path) -> None:
    program, gate, started = tmp_path / "browser", tmp_path / "gate", tmp_path / "started"
    real = shlex.quote(str((await choose(Budget(20_000))).path))
    program.write_text(
        f"#!/bin/sh\necho . >> {started}\nuntil [ -e {gate} ]; do sleep 0.05; done\n"
        f'exec {real} "$@"\n'
    )
    program.chmod(0o755)
    gate.touch()
    pool = Pool(LaunchOptions(headless=True, executable=program), 2)
    pool.fill()
    try:
        await eventually_async(lambda: pool.warm == 1)
        gate.unlink()
        await eventually_async(lambda: pool.warm == 2 or len(started.read_text().split()) == 2)
        os.killpg(pool._warm[0].pid, signal.SIGKILL)
        await eventually_async(lambda: pool.warm < 1 or len(pool._warm) == 1)
        gate.touch()
        await eventually_async(lambda: pool.warm == 2 and pool._filling.done())
        assert len(started.read_text().split()) == 3
    finally:
        await pool.close()
    assert pool.warm == 0
