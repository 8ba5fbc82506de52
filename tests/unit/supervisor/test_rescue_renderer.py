"""Another renderer: whose process is ended, and how a frame gets out of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from machine_kit import frame, target_info
from memory_wire import MemoryWire, supervised

from tabwarden.endpoints import OpenedEndpoint
from tabwarden.page.rescue.renderer import kill_renderer, renew_frame
from tabwarden.supervisor import CDPSupervisor

pytestmark = pytest.mark.anyio
FRAME_URL = "https://f.other.test/"


@pytest.fixture
async def supervisor(wire: MemoryWire) -> AsyncIterator[CDPSupervisor]:
    supervisor = await supervised(wire)
    yield supervisor
    await supervisor.stop()


def processes(wire: MemoryWire, *samples: dict[int, float]) -> None:
    """What each renderer has taken, each time it is asked."""
    left = list(samples)

    def told() -> dict[str, Any]:
        known = left.pop(0)
        renderers = [{"type": "renderer", "id": pid, "cpuTime": s} for pid, s in known.items()]
        return {"processInfo": [{"type": "browser", "id": 1, "cpuTime": 9_000}, *renderers]}

    wire.answers["SystemInfo.getProcessInfo"] = told


@pytest.mark.parametrize(
    ("before", "after", "ended"),
    [
        ({11: 5.0, 12: 5.0}, {11: 5.1, 12: 5.0}, 11),
        ({11: 5.0, 12: 5.0}, {11: 5.1, 12: 5.1}, None),
        ({11: 5.0, 12: 5.0}, {11: 5.04, 12: 5.0}, None),
        ({11: 5.0}, {12: 9.0}, None),
        ({}, {}, None),
    ],
    ids=["one is busy", "two are", "none is", "another one", "none there"],
)
async def test_only_the_one_renderer_that_hangs_is_ended(
    before: dict[int, float],
    after: dict[int, float],
    ended: int | None,
    supervisor: CDPSupervisor,
    wire: MemoryWire,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes(wire, before, after)
    killed: list[int] = []
    with monkeypatch.context() as ours:
        ours.setattr(OpenedEndpoint, "owned", True)
        ours.setattr(os, "kill", lambda pid, _: killed.append(pid))
        assert await kill_renderer(supervisor) == ended
    assert killed == ([] if ended is None else [ended])


async def test_a_browser_of_somebody_elses_keeps_its_processes(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    assert await kill_renderer(supervisor) is None
    assert "SystemInfo.getProcessInfo" not in wire.methods()


async def test_a_process_that_has_ended_by_itself_was_not_killed(
    supervisor: CDPSupervisor, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise ProcessLookupError

    processes(wire, {11: 5.0}, {11: 5.1})
    with monkeypatch.context() as ours:
        ours.setattr(OpenedEndpoint, "owned", True)
        ours.setattr(os, "kill", gone)
        assert await kill_renderer(supervisor) is None


# -- frames ----------------------------------------------------------------------------------


async def with_frame(supervisor: CDPSupervisor, wire: MemoryWire) -> None:
    """The page has a frame F in another process, on session SF."""
    wire.answers["Page.getFrameTree"] = {"frameTree": {"frame": frame("F", url=FRAME_URL)}}
    wire.event("Page.frameAttached", {"frameId": "F", "parentFrameId": "T1"}, "S1")
    info = target_info("F", kind="iframe", url=FRAME_URL) | {"parentFrameId": "T1"}
    about = {"sessionId": "SF", "targetInfo": info, "waitingForDebugger": True}
    wire.event("Target.attachedToTarget", about, "S1")
    async with asyncio.timeout(10):
        while not supervisor.state.sessions["SF"].ready:  # noqa: ASYNC110 - nothing else tells
            await asyncio.sleep(0)


async def test_a_frame_is_sent_out_of_its_process_by_its_parent_and_back_by_its_url(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    await with_frame(supervisor, wire)
    wire.answers["DOM.getFrameOwner"] = {"backendNodeId": 7}
    wire.answers["DOM.resolveNode"] = {"object": {"type": "object", "objectId": "o1"}}

    def leaves() -> dict[str, Any]:
        blank = frame("F", url="about:blank", loader="L9", parent="T1")
        wire.event("Target.detachedFromTarget", {"sessionId": "SF", "targetId": "F"}, "S1")
        wire.event("Page.frameNavigated", {"frame": blank, "type": "Navigation"}, "S1")
        return {"result": {"type": "undefined"}}

    wire.answers["Runtime.callFunctionOn"] = leaves
    wire.answers["Page.navigate"] = {"frameId": "F"}
    assert await renew_frame(supervisor, "SF")
    last = [one for one in wire.sent if one["method"] == "Page.navigate"][-1]
    assert last["params"] == {"url": FRAME_URL, "frameId": "F"}
    assert last["sessionId"] == "S1"


@pytest.mark.parametrize(
    "refused", ["DOM.getFrameOwner", "DOM.resolveNode", "Runtime.callFunctionOn"]
)
async def test_a_parent_that_can_not_do_it_is_left_alone(
    refused: str, supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    await with_frame(supervisor, wire)
    wire.answers["DOM.getFrameOwner"] = {"backendNodeId": 7}
    wire.answers["DOM.resolveNode"] = {"object": {"type": "object", "objectId": "o1"}}
    wire.answers["Runtime.callFunctionOn"] = {"result": {"type": "undefined"}}
    wire.answers[refused] = {"code": -32000, "message": "No"}
    assert not await renew_frame(supervisor, "SF")
    assert "Page.navigate" not in wire.methods()


async def test_a_frame_that_does_not_leave_is_not_sent_back(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    await with_frame(supervisor, wire)
    wire.answers["DOM.getFrameOwner"] = {"backendNodeId": 7}
    wire.answers["DOM.resolveNode"] = {"object": {"type": "object", "objectId": "o1"}}
    wire.answers["Runtime.callFunctionOn"] = {"result": {"type": "undefined"}}
    assert not await renew_frame(supervisor, "SF")
    assert not await renew_frame(supervisor, "S9")
    assert "Page.navigate" not in wire.methods()
