"""The engine's objects for a browser: equal before and after a call without leftovers."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import dataclass

import tabwarden
from tabwarden.supervisor.runtime import Race
from tabwarden.sync import Browser

__all__ = ["Inventory", "inventory"]

_REST_S = 40.0
"""On an isolated network, Chromium's host lookups through the proxy can take half of it."""
_OF_PROXY = ("BaseSelectorEventLoop._accept", "EgressProxy.")


@dataclass(frozen=True)
class Inventory:
    """Counts of the objects that a call can leave in our process."""

    tasks: tuple[str, ...]
    """The coroutines that run on the engine, by name."""
    futures: int
    """Unresolved futures."""
    races: int
    """The browser's own locks with their waiters: another test's browser may be running."""
    commands: int
    """Commands in flight."""
    observers: int
    deadlines: int
    listeners: int
    rescues: int
    scripts: int
    """The agent's scripts that run, or that were canceled before they reached their page."""


def inventory(browser: Browser, *, like: Inventory | None = None) -> Inventory:
    """What is there once the engine has come to rest.

    Args:
        browser: whose.
        like: wait until it is this, for some seconds at most.
    """
    return browser._engine.run_sync(_settled(browser, like))


async def _settled(browser: Browser, like: Inventory | None) -> Inventory:
    loop = asyncio.get_running_loop()
    until = loop.time() + _REST_S
    before = None
    while True:
        found = _count(browser)
        # A task that has just started waits for nothing yet, so it counts one future less.
        rests = found.commands == found.rescues == 0 and found == before
        # Chromium opens connections to the guard's proxy at any time.
        rests = rests and not any(name.startswith(_OF_PROXY) for name in found.tasks)
        if (found == like if like is not None else rests) or loop.time() > until:
            return found
        before = found
        await asyncio.sleep(0.01)  # no event reports that a browser has answered everything


def _count(browser: Browser) -> Inventory:
    supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
    assert supervisor is not None
    task = browser._task
    gc.collect()
    loop = asyncio.get_running_loop()
    objects = gc.get_objects()
    pending = [
        one
        for one in objects
        if isinstance(one, asyncio.Future) and one.get_loop() is loop and not one.done()
    ]
    running = [one for one in pending if isinstance(one, asyncio.Task)]
    me = asyncio.current_task()
    return Inventory(
        tasks=tuple(
            sorted(one.get_coro().__qualname__ for one in running if one is not me)  # type: ignore[union-attr]
        ),
        futures=len(pending) - len(running),
        races=sum(isinstance(one, Race) and one.supervisor is supervisor for one in objects),
        commands=supervisor.connection.in_flight,
        observers=len(supervisor._audience.observers),
        deadlines=len(supervisor.deadlines),
        listeners=sum(map(len, supervisor._audience.listeners.values())),
        rescues=task.hangs.rescues,
        scripts=len(task.scripts),
    )
