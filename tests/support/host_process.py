"""A host in its own process, so that a test can stop or kill it like a machine.

It reaches the test's coordinator over a socket: ``Remote`` asks, ``serve`` answers. Run it as
``python -m support.host_process NODE PORT``.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.fleet.coordinating import Coordinator
from tabwarden.fleet.hosting import Host, HostSettings
from tabwarden.fleet.leasing import values as leasing

__all__ = ["serve", "started"]

_TESTS = Path(__file__).parent.parent
_ANSWERS: dict[str, Any] = {"register": leasing.Registered, "heartbeat": leasing.HeartbeatAnswer}
_VALUES: dict[str, Any] = {"register": leasing.Host, "heartbeat": leasing.Heartbeat}


async def serve(coordinator: Coordinator) -> asyncio.Server:
    """Answer hosts on a free port, one line per call."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            method, value = msgspec.json.decode(line, type=tuple[str, msgspec.Raw])
            given = msgspec.json.decode(value, type=_VALUES[method])
            answered = await getattr(coordinator, method)(given)
            writer.write(msgspec.json.encode(answered) + b"\n")
            await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", 0)


def started(node: str, port: int) -> subprocess.Popen[bytes]:
    """Start a host; it exits when its standard input closes."""
    return subprocess.Popen(
        (sys.executable, "-m", "support.host_process", node, str(port)),
        env=os.environ | {"PYTHONPATH": str(_TESTS)},
        stdin=subprocess.PIPE,
    )


class _Remote:
    """The coordinator, over the socket."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def register(self, host: leasing.Host) -> leasing.Registered:
        registered: leasing.Registered = await self._asked("register", host)
        return registered

    async def heartbeat(self, beat: leasing.Heartbeat) -> leasing.HeartbeatAnswer:
        answer: leasing.HeartbeatAnswer = await self._asked("heartbeat", beat)
        return answer

    async def _asked(self, method: str, value: object) -> Any:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(msgspec.json.encode((method, value)) + b"\n")
            return msgspec.json.decode(await reader.readline(), type=_ANSWERS[method])
        finally:
            writer.close()


async def _main(node: str, port: int) -> None:
    settings = HostSettings(node=node, warm=0, launch=LaunchOptions(headless=True))
    host = Host(_Remote(port), settings)
    await host.start()
    asyncio.get_running_loop().add_reader(0, host.stop, "the test ends it")
    await host.run()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
