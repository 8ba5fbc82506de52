"""A supervisor whose browser is the test: the real driver, machine and connection over a wire in
memory, so that what decides how a wait ends is tested in milliseconds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from support.eventually import eventually_async
from support.machine_kit import frame, target_info
from tabwarden.budget import Budget
from tabwarden.endpoints import OpenedEndpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.supervisor.contexts.contexts import OwnContext
from tabwarden.supervisor.core.state.policy import Policy
from tabwarden.supervisor.runtime import CDPSupervisor

__all__ = ["MemoryEndpoint", "MemoryWire", "supervised"]

VERSION = {
    "protocolVersion": "1.3", "product": "Test/1", "revision": "", "userAgent": "", "jsVersion": "",
}  # fmt: skip


class MemoryWire:
    """Answers each command at once with what ``answers`` has for its method (a function gives it
    anew each time), else with ``{}``.

    ``silent`` ones are never answered.
    """

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.silent: set[str] = set()
        self.answers: dict[str, Any] = {
            "Browser.getVersion": VERSION,
            "Page.getFrameTree": {"frameTree": {"frame": frame("T1")}},
            "Target.getTargets": {"targetInfos": [target_info("T1")]},
        }
        self._on_message: Callable[[bytes], None] = lambda _: None
        self._on_close: Callable[[str], None] = lambda _: None

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        self._on_message, self._on_close = on_message, on_close

    def send(self, message: bytes) -> None:
        told = json.loads(message)
        self.sent.append(told)
        if told["method"] in self.silent:
            return
        answer = self.answers.get(told["method"], {})
        answer = answer() if callable(answer) else answer
        about = {"error": answer} if "code" in answer else {"result": answer}
        asyncio.get_running_loop().call_soon(self.tell, {"id": told["id"], **about})

    async def aclose(self) -> None:
        self._on_close("closed by us")

    def tell(self, message: dict[str, Any]) -> None:
        """Receive a message from the browser."""
        self._on_message(json.dumps(message).encode())

    def event(self, method: str, params: dict[str, Any], session_id: str | None = None) -> None:
        """Receive an event."""
        about = {"sessionId": session_id} if session_id else {}
        self.tell({"method": method, "params": params, **about})

    def breaks(self, reason: str = "the wire broke") -> None:
        """Break the wire."""
        self._on_close(reason)

    def methods(self) -> list[str]:
        """The sent messages, in order."""
        return [one["method"] for one in self.sent]


class MemoryEndpoint:
    """Opens one wire after another, or raises the exception at that place in the list."""

    key = "memory"
    capabilities = Capabilities(guard_session=False)

    def __init__(self, *wires: MemoryWire | Exception) -> None:
        self.wires = list(wires)

    async def open(self, budget: Budget) -> OpenedEndpoint:
        _ = budget
        wire = self.wires.pop(0)
        if isinstance(wire, Exception):
            raise wire
        return OpenedEndpoint(wire, "Test/1")


async def supervised(
    wire: MemoryWire,
    *later: MemoryWire | Exception,
    policy: Policy | None = None,
    context: OwnContext | None = None,
) -> CDPSupervisor:
    """A supervisor with one ready tab, t1: target T1, session S1."""
    endpoint = MemoryEndpoint(wire, *later)
    supervisor = CDPSupervisor("task", endpoint, policy or Policy(), context)
    await supervisor.start(Budget(5_000))
    attach(wire)
    await eventually_async(
        lambda: any(tab.status == "ready" for tab in supervisor.state.tabs.values())
    )
    return supervisor


def attach(wire: MemoryWire, target_id: str = "T1", session_id: str = "S1", **more: Any) -> None:
    """Attach a page."""
    info = target_info(target_id, **more)
    told = {"sessionId": session_id, "targetInfo": info, "waitingForDebugger": True}
    wire.event("Target.attachedToTarget", told)
