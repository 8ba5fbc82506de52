"""Raw clients, as a baseline for evaluate, without layers between the caller and the connection."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tabwarden import Browser
from tabwarden.supervisor.runtime import CDPSupervisor

__all__ = ["GET_TEXT", "Raw", "WebSockets", "launched_with_port"]

GET_TEXT = "(element) => element.textContent"


class Raw:
    """A bare client: the supervisor's connection, without the supervisor."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._connection = supervisor.connection
        tab = supervisor.state.tabs[supervisor.state.active_tab_id or ""]
        self._session_id = tab.session_id

    async def evaluate(self, expression: str) -> Any:
        sent = msgspec.json.encode(
            {"expression": expression, "returnByValue": True, "userGesture": True}
        )
        return await self._call("Runtime.evaluate", sent)

    async def on_element(self, object_id: str) -> Any:
        sent = msgspec.json.encode(
            {
                "functionDeclaration": GET_TEXT,
                "objectId": object_id,
                "arguments": [{"objectId": object_id}],
                "returnByValue": True,
                "userGesture": True,
            }
        )
        return await self._call("Runtime.callFunctionOn", sent)

    async def element(self) -> str:
        found = msgspec.json.encode({"expression": "document.querySelector('button')"})
        reply = await self._connection.call("Runtime.evaluate", found, self._session_id)
        assert reply.result is not None
        object_id: str = msgspec.json.decode(reply.result)["result"]["objectId"]
        return object_id

    async def _call(self, method: str, params: bytes) -> Any:
        reply = await self._connection.call(method, params, self._session_id)
        assert reply.result is not None, reply
        return msgspec.json.decode(reply.result)["result"]["value"]


class WebSockets:
    """A minimal client, with a dictionary of futures by id, and a reading loop."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._session_id: str | None = None
        self.sent = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def on(cls, url: str, target_id: str) -> AsyncIterator[WebSockets]:
        async with connect(url, compression=None, max_size=None) as connection:
            client = cls(connection)
            attached = await client.call(
                "Target.attachToTarget", {"targetId": target_id, "flatten": True}
            )
            client._session_id = attached["sessionId"]
            yield client

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": params}
        if self._session_id is not None:
            message["sessionId"] = self._session_id
        future = self._waiting[self.sent] = asyncio.get_running_loop().create_future()
        await self._connection.send(json.dumps(message))
        return await future

    async def evaluate(self, expression: str) -> Any:
        done = await self.call(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "userGesture": True},
        )
        return done["result"]["value"]

    async def element(self) -> str:
        found = await self.call(
            "Runtime.evaluate", {"expression": "document.querySelector('button')"}
        )
        object_id: str = found["result"]["objectId"]
        return object_id

    async def on_element(self, object_id: str) -> Any:
        done = await self.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": GET_TEXT,
                "objectId": object_id,
                "arguments": [{"objectId": object_id}],
                "returnByValue": True,
                "userGesture": True,
            },
        )
        return done["result"]["value"]

    async def _read(self) -> None:
        async for message in self._connection:
            told = json.loads(message)
            if "id" in told:
                self._waiting.pop(told["id"]).set_result(told["result"])


@asynccontextmanager
async def launched_with_port(executable: Path) -> AsyncIterator[tuple[Browser, str]]:
    """Launch a browser on a pipe, as usual. Yield it with the address of its additional port."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        program, profile = Path(folder) / "chromium", Path(folder) / "profile"
        program.write_text(f'#!/bin/sh\nexec "{executable}" --remote-debugging-port=0 "$@"\n')
        program.chmod(0o755)
        async with Browser.launch(executable=program, user_data_dir=profile) as browser:
            told: list[str] = []
            while len(told) < 2:  # there is no event when the file is written
                await asyncio.sleep(0.01)
                told = (profile / "DevToolsActivePort").read_text().split()
            yield browser, f"ws://127.0.0.1:{told[0]}{told[1]}"
