"""Evaluate's fast path equals the ordinary one: both run the same histories."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.eventually import eventually_async
from support.fuzzing import searched
from support.machine_kit import Play
from support.memory_wire import MemoryWire, attach, supervised

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.call import perform
from tabwarden.page.scripts.evaluate import Asked, evaluate, run
from tabwarden.page.scripts.evaluate_fast_path import FastPath
from tabwarden.page.task import CARDS, Rescue, Task
from tabwarden.supervisor.runtime import EngineLoop

pytestmark = pytest.mark.anyio

CALL = "Runtime.callFunctionOn"
UNDONE = {"code": -32000}


def thrown(text: str, kind: str) -> dict[str, Any]:
    details = {
        "exceptionId": 1, "text": text, "lineNumber": 1, "columnNumber": 0,
        "exception": {"type": "object", "className": kind, "description": f"{kind}: no"},
    }  # fmt: skip
    return {"result": {"type": "object"}, "exceptionDetails": details}


ANSWERS: dict[str, Any] = {
    "number": {"result": {"type": "number", "value": 2}},
    "undefined": {"result": {"type": "undefined"}},
    "serialized": {"result": {"type": "object", "value": {"$": '{"value": [1], "note": "cut"}'}}},
    "broken serializer": {"result": {"type": "object", "value": {"$": 5}}},
    "gone element": {"result": {"type": "object", "value": {"$gone": True}}},
    "exception": thrown("Uncaught (in promise)", "Error"),
    "syntax error": thrown("Uncaught", "SyntaxError"),
    "not begun": UNDONE | {"message": "Could not find object with given id"},
    "stopped": UNDONE | {"message": "Internal error"},
    "left": UNDONE | {"message": "Inspected target navigated or closed"},
    "refused": UNDONE | {"message": "No."},
    "unreadable": {"result": 5},
}


class Page(Play):
    """Sends a page's events over a wire, instead of to a machine."""

    def __init__(self, wire: MemoryWire) -> None:
        super().__init__()
        self._wire = wire

    def event(self, method: str, params: Mapping[str, Any], session_id: str | None = None) -> Any:
        self._wire.event(method, dict(params), session_id)


class World:
    """One task on a page whose world, serializer and one element are already cached."""

    def __init__(self, wire: MemoryWire, task: Task, *, fast: bool) -> None:
        self.wire, self.task, self.page = wire, task, Page(wire)
        self.fast = FastPath(task) if fast else None
        self.ahead = 0
        """How many scripts took the fast path."""
        self.page.context(1)
        task.late_titles._arm = lambda: None  # type: ignore[method-assign] # it asks later on
        ref = task.refs.assign("S1.1", 1, role="button", name="Buy", tab_id="t1", frame_id="T1")
        assert ref == "e1"
        task.handles.keep(ref, "S1", "S1.1", "element")
        wire.answers["Runtime.evaluate"] = {"result": {"type": "function", "objectId": "carry"}}

    # -- what happens ----------------------------------------------------------------------

    def happens(self, what: str) -> None:
        HAPPENS[what](self)

    async def runs(self, asked: Asked, answer: str, meanwhile: str, tab_id: str | None) -> Any:
        """A script's outcome, with its news."""
        budget = Budget(10_000)
        if asked.ref is None and answer == "gone element":
            answer = "number"  # only the element of a ref can be gone
        left = [answer, "number"]  # a script that is run again gives a number

        def answered() -> Any:
            loop = asyncio.get_running_loop()
            if meanwhile == "cancel":
                loop.call_soon(budget.cancel, "enough")
            elif meanwhile and len(left) == 2:
                loop.call_soon(self.happens, meanwhile)
            return ANSWERS[left.pop(0) if len(left) > 1 else left[0]]

        self.wire.answers[CALL] = answered
        try:
            done = await self._evaluated(asked.checked(self.task.config), budget, tab_id)
        except TabwardenError as error:
            return error.code, error.message, error.hint, plain(error.data)
        return plain(done)

    async def _evaluated(self, asked: Asked, budget: Budget, tab_id: str | None) -> Any:
        sent = self.fast.send(asked, budget, tab_id) if self.fast is not None else None
        if sent is not None:
            self.ahead += 1
            return await sent.ended_async(HERE)
        return await perform(
            self.task, CARDS[evaluate], budget, lambda call: run(call, asked), tab_id=tab_id
        )

    @property
    def crashed(self) -> bool:
        return any(tab.status == "crashed" for tab in self.task.state.tabs.values())

    async def rests(self) -> None:
        connection, hangs = self.task.supervisor.connection, self.task.hangs
        await eventually_async(lambda: not connection.in_flight and not hangs.rescues)

    def stands(self) -> Any:
        """Everything that could make a difference to a later call."""
        task, supervisor = self.task, self.task.supervisor
        called = [one["params"] for one in self.wire.sent if one["method"] == CALL]
        return plain(
            {
                "state": supervisor.snapshot(),
                "contexts": sorted(task.state.contexts),
                "last command": called[-1:],
                "scripts": len(task.scripts),
                "in flight": supervisor.connection.in_flight,
                "deadlines": len(supervisor.deadlines),
                "observers": len(supervisor._audience.observers),
                "calls": len(supervisor.telemetry.in_flight),
                "metrics": supervisor.telemetry.metrics(),
                "title is asked for": task.late_titles._is_due,
                "handles": sorted(task.handles._handles),
                "serializers": sorted(task.serializers._handles),
                "highlight": task.highlighted is None,
                "hung": sorted(task.hangs._hung),
                "notes": task.hangs.has_notes,
            }
        )


def _another_document(world: World) -> None:
    _no_world(world)
    world.page.navigated(loader="L2")
    world.page.context(2)


def _no_world(world: World) -> None:
    world.page.event("Runtime.executionContextsCleared", {}, "S1")


def _closed(world: World) -> None:
    world.page.detach("S1")
    world.page.destroy("T1")


def _highlighted(world: World) -> None:
    world.task.highlighted = lambda: None


def _hung(world: World) -> None:
    world.task.hangs.hang({world.task.state.document_in("t1")}, set())


def _note_left(world: World) -> None:
    rescue = Rescue("t1", world.task.supervisor.telemetry)
    rescue.ended("renewed", "It was loaded again.", ["refs"])
    rescue.unseen = True
    world.task.hangs.begin("t1", rescue)
    world.task.hangs.end("t1")


def _robbed(world: World) -> None:
    world.task.handles.forget()
    world.task.serializers.forget()


HAPPENS: dict[str, Callable[[World], object]] = {
    "dialog": lambda world: world.page.dialog(),
    "dialog answered": lambda world: world.page.dialog_closed(),
    "console error": lambda world: world.page.console("error", {"type": "string", "value": "no"}),
    "document": _another_document,
    "no world": _no_world,
    "another tab": lambda world: attach(world.wire, "T2", "S2"),
    "crash": lambda world: world.page.crash("T1"),
    "closed": _closed,
    "broken wire": lambda world: world.wire.breaks(),
    "highlight": _highlighted,
    "hung": _hung,
    "note": _note_left,
    "robbed": _robbed,
}


class _Here:
    """An engine whose thread is this one."""

    async def run_async(self, coroutine: Awaitable[Any]) -> Any:
        return await coroutine


HERE: EngineLoop = _Here()  # type: ignore[assignment]


def plain(value: Any) -> Any:
    """As JSON, without the times."""
    return untimed(msgspec.to_builtins(value, enc_hook=_as_builtin))


def _as_builtin(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def untimed(value: Any) -> Any:
    match value:
        case float():
            return 0.0
        case dict():
            return {key: untimed(inner) for key, inner in value.items()}
        case list() | tuple():
            return [untimed(inner) for inner in value]
        case _:
            return value


ASKED = st.builds(
    Asked,
    script=st.sampled_from(["1 + 1", "() => 3", "(e, x) => x", "const a = 1; a", "return 1"]),
    ref=st.sampled_from([None, None, "e1", "e9"]),
    frame_id=st.sampled_from([None, None, None, "T1", "F9"]),
    world=st.sampled_from(["main", "main", "isolated"]),
    args=st.sampled_from([(), (), (1, "a"), (float("nan"),)]),
    user_gesture=st.booleans(),
)
DURING = ("", "", "dialog", "console error", "document", "crash", "closed", "broken wire", "cancel")
SCRIPTS = st.tuples(
    ASKED,
    st.sampled_from(list(ANSWERS)),
    st.sampled_from(DURING),
    st.sampled_from([None, "t1", "t2", "t9"]),
)
TIMED = {"hung"}
"""After these, the next event depends on the machine's load."""
HISTORIES = st.lists(
    st.one_of(SCRIPTS, SCRIPTS, st.sampled_from(sorted(HAPPENS.keys() - TIMED))),
    min_size=1,
    max_size=8,
)


async def lived(history: list[Any], *, fast: bool) -> tuple[list[Any], int]:
    """The outcome of each step, and how many scripts took the fast path."""
    wire = MemoryWire()
    supervisor = await supervised(wire)
    supervisor.hang_patience = 100.0  # also on a busy machine, a responsive page is not a hang
    world = World(wire, Task(supervisor), fast=fast)
    try:
        await world.rests()
        told = [await world.runs(Asked("0"), "number", "", None)]
        await world.rests()
        told.append(world.stands())
        for step in history:
            if isinstance(step, str):
                world.happens(step)
                told.append(step)
            else:
                told.append(await world.runs(*step))
            if world.crashed:  # it is reloading now, and this wire never ends that
                await asyncio.sleep(0)
                break
            await world.rests()
            told.append(world.stands())
        return told, world.ahead
    finally:
        await supervisor.stop()


def compared(history: list[Any]) -> int:
    """Run it over both paths; return how many scripts took the fast one."""
    ordinary, _ = asyncio.run(lived(history, fast=False))
    fast, ahead = asyncio.run(lived(history, fast=True))
    for one, other in zip(fast, ordinary, strict=True):
        if isinstance(one, dict) and isinstance(other, dict):
            one, other = (
                {k: v for k, v in x.items() if x.get(k) != y.get(k)}
                for x, y in ((one, other), (other, one))
            )
        assert one == other
    return ahead


@searched(60)
@given(HISTORIES)
def test_fast_and_ordinary_evaluate_return_the_same_results(history: list[Any]) -> None:
    compared(history)


@pytest.mark.parametrize("during", sorted(set(DURING)))
@pytest.mark.parametrize("answer", list(ANSWERS))
def test_fast_and_ordinary_evaluate_agree_for_each_reply_and_event(
    answer: str, during: str
) -> None:
    assert compared([(Asked("1 + 1"), answer, during, None), (Asked("2"), "number", "", None)])


@pytest.mark.parametrize(
    "what", ["dialog", "crash", "closed", "broken wire", "highlight", "hung", "note", "robbed"]
)
async def test_evaluate_skips_the_fast_path_when_a_condition_fails(what: str) -> None:
    wire = MemoryWire()
    supervisor = await supervised(wire)
    world = World(wire, Task(supervisor), fast=True)
    await world.rests()
    assert await world.runs(Asked("0"), "number", "", None)
    assert await world.runs(Asked("0"), "number", "", None)
    assert world.ahead == 1
    world.happens(what)
    assert world.fast is not None
    assert world.fast.send(Asked("0"), Budget(1_000), "t1") is None
    await asyncio.sleep(0)
    await supervisor.stop()
