"""One isolated world per frame, which contains the walker script.

Pages can't see or change scripts in these worlds. A world is created when its frame is first read,
so a page that is never read costs nothing.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any

from tabwarden.errors import FrameNotFound
from tabwarden.protocol import page, runtime
from tabwarden.supervisor.core.state.tabs import WORLD_NAME, ExecutionContext
from tabwarden.supervisor.runtime import CDPSupervisor, CommandRefused, Pending, Race


class WorldGone(Exception):
    """The world's document was replaced during a call, or the walker was stopped or failed.

    The message says which.
    """

    def __init__(self, why: str = "its document was just replaced") -> None:
        super().__init__(why)


class WalkerFailed(WorldGone):
    """The walker threw an exception. In the same document, it would throw again."""


class Worlds:
    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        self._with_walker: dict[str, str] = {}
        """Maps the ``unique_id`` of each world with the walker to the world's process."""

    async def of(self, race: Race, frame_id: str) -> ExecutionContext:
        """Return the world of a frame's current document. Inject the walker if needed.

        Raises:
            FrameNotFound: the frame is gone.
            WorldGone: the document was replaced meanwhile; try again.
        """
        world = self._supervisor.state.worlds.get(frame_id)
        if world is None:
            world = await self._make(race, frame_id)
        if world.unique_id not in self._with_walker:
            existing = {w.unique_id for w in self._supervisor.state.worlds.values()}
            for gone in self._with_walker.keys() - existing:
                del self._with_walker[gone]
            isolate = race.start(runtime.GetIsolateId(), world.session_id)
            await value_of(race, _evaluate(race, world, walker_source()))
            self._with_walker[world.unique_id] = await _process(race, isolate)
        return world

    def known(self, frame_id: str) -> ExecutionContext | None:
        """Return the world of a frame's current document if the walker is already there."""
        world = self._supervisor.state.worlds.get(frame_id)
        return world if world is not None and world.unique_id in self._with_walker else None

    def process_of(self, frame_id: str) -> str:
        """Return a name for the process of a frame; "" if it is not known."""
        world = self.known(frame_id)
        return self._with_walker[world.unique_id] if world is not None else ""

    async def _make(self, race: Race, frame_id: str) -> ExecutionContext:
        frame = self._supervisor.state.frames.get(frame_id)
        if frame is None:
            raise frame_not_found(frame_id)
        command = page.CreateIsolatedWorld(frame_id=frame_id, world_name=WORLD_NAME)
        try:
            await race.call(command, frame.session_id)
        except CommandRefused as refused:
            raise WorldGone from refused
        # ``Runtime.executionContextCreated`` arrives before the reply.
        world = self._supervisor.state.worlds.get(frame_id)
        if world is None:
            raise WorldGone
        return world


async def _process(race: Race, isolate: Pending[runtime.GetIsolateIdResult]) -> str:
    try:
        return (await race.result(isolate)).id
    except CommandRefused:  # Firefox
        return ""


@cache
def walker_source() -> str:
    return (resources.files("tabwarden.page.walker") / "walker.bundle.js").read_text("utf-8")


@cache
def _async_functions() -> frozenset[str]:
    """Return the names of the async functions. Only these are awaited, because awaiting hangs while
    a dialog is open."""
    return frozenset(re.findall(r"^async function (\w+)", walker_source(), re.MULTILINE))


async def call_walker(race: Race, world: ExecutionContext, function: str, *arguments: Any) -> Any:
    """Call a walker function, await its promise if it returns one, and return the JSON value."""
    return await value_of(race, start(race, world, function, *arguments))


def start(
    race: Race, world: ExecutionContext, function: str, *arguments: Any
) -> Pending[runtime.EvaluateResult]:
    """Send a call to a walker function without waiting for its result."""
    return race.start(command_for(world, function, *arguments), world.session_id)


def command_for(world: ExecutionContext, function: str, *arguments: Any) -> runtime.Evaluate:
    listed = ", ".join(json.dumps(argument) for argument in arguments)
    call = f"__tabwarden.{function}({listed})"
    return _command(world, call, waits=function in _async_functions())


async def element(race: Race, world: ExecutionContext, local_id: int) -> str | None:
    """Return a remote object id for an element; None if the element is gone."""
    pending = _evaluate(race, world, f"__tabwarden.element({local_id})", by_value=False)
    return (await _result(race, pending)).object_id


def _evaluate(
    race: Race,
    world: ExecutionContext,
    expression: str,
    *,
    by_value: bool = True,
    waits: bool = False,
) -> Pending[runtime.EvaluateResult]:
    command = _command(world, expression, by_value=by_value, waits=waits)
    return race.start(command, world.session_id)


def _command(
    world: ExecutionContext, expression: str, *, by_value: bool = True, waits: bool = False
) -> runtime.Evaluate:
    return runtime.Evaluate(
        expression=expression,
        unique_context_id=world.unique_id,
        return_by_value=by_value,
        await_promise=waits,
        silent=True,
    )


async def value_of(race: Race, pending: Pending[runtime.EvaluateResult]) -> Any:
    """Wait for the result of a call that ``start`` sent."""
    return (await _result(race, pending)).value


async def _result(race: Race, pending: Pending[runtime.EvaluateResult]) -> runtime.RemoteObject:
    try:
        reply = await race.result(pending)
    except CommandRefused as refused:
        raise WorldGone from refused
    if (details := reply.exception_details) is not None:
        if details.exception is None or not details.exception.description:
            raise WorldGone(f"Tabwarden's script in the page was stopped ({details.text[:200]})")
        first = details.exception.description.partition("\n")[0]
        raise WalkerFailed(
            f"Tabwarden's script failed in this page ({first[:200]}); Chromium below 119 is too old"
        )
    return reply.result


def frame_not_found(frame_id: str) -> FrameNotFound:
    return FrameNotFound(
        f"There is no frame {frame_id!r}, or it is gone.",
        "Take a snapshot, which lists the frames.",
        frame_id=frame_id,
    )
