"""Worlds: our isolated world in each frame, with the walker in it.

Pages can't see or change what runs there. A world is made when a frame is first looked at, so a
page that nobody snapshots costs nothing.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from tabwarden.errors import FrameNotFound
from tabwarden.protocol import page, runtime
from tabwarden.supervisor import CDPSupervisor, CommandRefused, ExecutionContext, Pending, Race
from tabwarden.supervisor.frames import WORLD_NAME

__all__ = [
    "WorldGone",
    "Worlds",
    "call",
    "command_for",
    "element",
    "frame_not_found",
    "start",
    "value_of",
    "walker_source",
]

_SOURCES = (
    "natives.js",
    "suspects.js",
    "telling.js",
    "tree.js",
    "ids.js",
    "lineage.js",
    "visibility.js",
    "roles.js",
    "labels.js",
    "drawn.js",
    "content.js",
    "names.js",
    "states.js",
    "place.js",
    "walking.js",
    "owned.js",
    "outline.js",
    "columns.js",
    "reaching.js",
    "geometry.js",
    "cover.js",
    "press.js",
    "focus.js",
    "highlight.js",
    "shown.js",
    "mouse.js",
    "annotate.js",
    "fields.js",
    "focusing.js",
    "under.js",
    "scroll.js",
    "drag.js",
    "offered.js",
    "choices.js",
    "lists.js",
    "checks.js",
    "awaited.js",
    "readable.js",
    "timers.js",
    "storage.js",
    "zones.js",
    "heal.js",
    "find.js",
    "walker.js",
)
"""The walker, one idea a file; together they are one function's body."""
_PROMISED = {
    "aimLater",
    "aimThroughLater",
    "awaited",
    "checkedAs",
    "chosen",
    "dragSeen",
    "drawn",
    "focusLost",
    "mouseCame",
    "pressDone",
    "quiet",
    "toClick",
    "wheeled",
}
"""What gives a promise. Nothing else waits: no promise settles while a dialog pauses the page."""


class WorldGone(Exception):
    """The document that a world belonged to was replaced while we spoke to it.

    Its text says so, or what else came between: our script was stopped there, or failed.
    """

    def __init__(self, why: str = "its document was just replaced") -> None:
        super().__init__(why)


class Worlds:
    """The worlds of one task's frames."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        self._with_walker: set[str] = set()

    async def of(self, race: Race, frame_id: str) -> ExecutionContext:
        """The world of a frame's present document, made and given the walker if need be.

        Raises:
            FrameNotFound: the frame is gone.
            WorldGone: its document changed meanwhile; try again.
        """
        world = self._supervisor.state.worlds.get(frame_id)
        if world is None:
            world = await self._make(race, frame_id)
        if world.unique_id not in self._with_walker:
            self._with_walker &= {w.unique_id for w in self._supervisor.state.worlds.values()}
            await value_of(race, _evaluate(race, world, walker_source()))
            self._with_walker.add(world.unique_id)
        return world

    def known(self, frame_id: str) -> ExecutionContext | None:
        """The world of a frame's present document, if the walker is in it already."""
        world = self._supervisor.state.worlds.get(frame_id)
        return world if world is not None and world.unique_id in self._with_walker else None

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


@cache
def walker_source() -> str:
    """The walker's JavaScript."""
    folder = resources.files("tabwarden.page") / "js"
    body = "\n".join((folder / name).read_text("utf-8") for name in _SOURCES)
    return f'(() => {{ "use strict";\n{body}\n}})()'


async def call(race: Race, world: ExecutionContext, function: str, *arguments: Any) -> Any:
    """Call one of the walker's functions; its JSON value, awaited when it is a promise.

    Raises:
        WorldGone: the document was replaced.
    """
    return await value_of(race, start(race, world, function, *arguments))


def start(
    race: Race, world: ExecutionContext, function: str, *arguments: Any
) -> Pending[runtime.EvaluateResult]:
    """Send such a call without waiting for it."""
    return race.start(command_for(world, function, *arguments), world.session_id)


def command_for(world: ExecutionContext, function: str, *arguments: Any) -> runtime.Evaluate:
    """The command that is such a call."""
    passed = ", ".join(json.dumps(argument) for argument in arguments)
    call = f"__tabwarden.{function}({passed})"
    return _command(world, call, waits=function in _PROMISED)


async def element(race: Race, world: ExecutionContext, local_id: int) -> str | None:
    """A remote object id for the walker's element; None when the element is gone."""
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
    """What a call that was sent gives.

    Raises:
        WorldGone: the document was replaced.
    """
    return (await _result(race, pending)).value


async def _result(race: Race, pending: Pending[runtime.EvaluateResult]) -> runtime.RemoteObject:
    try:
        done = await race.result(pending)
    except CommandRefused as refused:
        raise WorldGone from refused
    if (details := done.exception_details) is not None:
        said = details.exception.description if details.exception else None
        first = (said or details.text).partition("\n")[0]
        raise WorldGone(f"our script in it was stopped ({first[:200]})")
    return done.result


def frame_not_found(frame_id: str) -> FrameNotFound:
    """The error for a frame that isn't there."""
    return FrameNotFound(
        f"There is no frame {frame_id!r} (any more).",
        "Take a snapshot: its frame tree lists the frames.",
        frame_id=frame_id,
    )
