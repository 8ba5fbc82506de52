"""``RemoteCoordinator``: calls the coordinator's actor, and has the coordinator's methods."""

from __future__ import annotations

import asyncio
from typing import Any

import ray
from ray.exceptions import RayError

from tabwarden.errors import EndpointUnreachable
from tabwarden.fleet.leasing import values as leasing
from tabwarden.fleet.on_ray.answers import Refused

SLACK_S = 1.0
"""How much longer than its own timeout a waiting call may take before we stop waiting for it."""
CALL_S = 5.0
"""How long the coordinator may take to reply to a call that should not wait."""


class RemoteCoordinator:
    """Calls the coordinator, from any event loop. Ray restarts the coordinator if it dies, and the
    same handle then reaches the new coordinator.

    Every method raises the errors of ``Coordinator``, or ``EndpointUnreachable`` if the coordinator
    does not respond.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    async def register(self, host: leasing.Host) -> leasing.Registered:
        answer: leasing.Registered = await self._call("register", CALL_S, host)
        return answer

    async def heartbeat(self, beat: leasing.Heartbeat) -> leasing.HeartbeatAnswer:
        answer: leasing.HeartbeatAnswer = await self._call("heartbeat", CALL_S, beat)
        return answer

    async def acquire(self, wanted: leasing.LeaseRequest) -> leasing.Lease:
        answer: leasing.Lease = await self._call("acquire", wanted.timeout_s + SLACK_S, wanted)
        return answer

    async def reserve(self, task: str, generation: int) -> None:
        await self._call("reserve", CALL_S, task, generation)

    async def release(self, task: str, generation: int) -> bool:
        answer: bool = await self._call("release", CALL_S, task, generation)
        return answer

    async def moved(self, task: str, generation: int, timeout_s: float) -> leasing.Lost | None:
        answer: leasing.Lost | None = await self._call(
            "moved", timeout_s + SLACK_S, task, generation, timeout_s
        )
        return answer

    async def status(self) -> leasing.FleetStatus:
        answer: leasing.FleetStatus = await self._call("status", CALL_S)
        return answer

    async def drain(self, node: str) -> None:
        await self._call("drain", CALL_S, node)

    async def undrain(self, node: str) -> None:
        await self._call("undrain", CALL_S, node)

    async def _call(self, method: str, timeout_s: float, *args: Any) -> Any:
        reference = None
        try:
            async with asyncio.timeout(timeout_s):
                reference = self._handle.call.remote(method, *args)
                answer = await reference
        except (RayError, TimeoutError) as error:
            if isinstance(error, TimeoutError) and reference is not None:
                ray.cancel(reference)
            raise EndpointUnreachable(
                f"The fleet's coordinator is not responding: {type(error).__name__}.",
                "It restarts automatically within seconds. `tabwarden fleet status` shows the "
                "fleet.",
            ) from None
        if isinstance(answer, Refused):
            raise answer.error()
        return answer
