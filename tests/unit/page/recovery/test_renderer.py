"""Renewing a frame's renderer: how a frame leaves its process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.eventually import eventually_async
from support.machine_kit import frame, target_info
from support.memory_wire import MemoryWire, supervised

from tabwarden.page.recovery.renderer import renew_frame
from tabwarden.supervisor.runtime import CDPSupervisor

pytestmark = pytest.mark.anyio
FRAME_URL = "https://f.other.test/"


@pytest.fixture
async def supervisor(wire: MemoryWire) -> AsyncIterator[CDPSupervisor]:
    supervisor = await supervised(wire)
    yield supervisor
    await supervisor.stop()


async def with_frame(supervisor: CDPSupervisor, wire: MemoryWire) -> None:
    """The page has a frame F in another process, on session SF."""
    wire.answers["Page.getFrameTree"] = {"frameTree": {"frame": frame("F", url=FRAME_URL)}}
    wire.event("Page.frameAttached", {"frameId": "F", "parentFrameId": "T1"}, "S1")
    info = target_info("F", kind="iframe", url=FRAME_URL) | {"parentFrameId": "T1"}
    about = {"sessionId": "SF", "targetInfo": info, "waitingForDebugger": True}
    wire.event("Target.attachedToTarget", about, "S1")
    await eventually_async(lambda: supervisor.state.sessions["SF"].ready)


async def test_renew_frame_leaves_the_process_through_the_parent_and_returns_to_its_url(
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
async def test_renew_frame_stops_when_the_parent_rejects_a_command(
    refused: str, supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    await with_frame(supervisor, wire)
    wire.answers["DOM.getFrameOwner"] = {"backendNodeId": 7}
    wire.answers["DOM.resolveNode"] = {"object": {"type": "object", "objectId": "o1"}}
    wire.answers["Runtime.callFunctionOn"] = {"result": {"type": "undefined"}}
    wire.answers[refused] = {"code": -32000, "message": "No"}
    assert not await renew_frame(supervisor, "SF")
    assert "Page.navigate" not in wire.methods()


async def test_renew_frame_does_not_navigate_a_frame_that_stays_on_its_document(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    await with_frame(supervisor, wire)
    wire.answers["DOM.getFrameOwner"] = {"backendNodeId": 7}
    wire.answers["DOM.resolveNode"] = {"object": {"type": "object", "objectId": "o1"}}
    wire.answers["Runtime.callFunctionOn"] = {"result": {"type": "undefined"}}
    assert not await renew_frame(supervisor, "SF")
    assert not await renew_frame(supervisor, "S9")
    assert "Page.navigate" not in wire.methods()
