"""Early: tool calls that run before the SDK is imported, whose import takes most of a second."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.actions import PreparedCall
from tabwarden.surfaces.guard.principal import OPERATOR
from tabwarden.surfaces.mcp.calls import (
    HANDOFF,
    Structured,
    names_files,
    progress_text,
    result_json,
)
from tabwarden.surfaces.mcp.clients import Client
from tabwarden.surfaces.mcp.front import PROTOCOL
from tabwarden.surfaces.progress import CallProgress

log = logging.getLogger("tabwarden.mcp")


class EarlyCalls:
    """Runs the calls that need nothing of the SDK: all except hand-offs and those that name files,
    because these ask the host something.

    Args:
        client: the host.
        send: sends the host one message, as text.
    """

    def __init__(
        self, client: Client, send: Callable[[str], object], structured: Structured
    ) -> None:
        self._client = client
        self._send = send
        self._structured = structured
        self._running: dict[str, asyncio.Task[None]] = {}
        self._tells_changes = True
        client.tools_changed = self._tools_changed

    @property
    def are_running(self) -> bool:
        return bool(self._running)

    def take(self, line: str) -> bool:
        """Run the call in a line from the host, or cancel one. Return False if the line is for the
        SDK.
        """
        try:
            message = json.loads(line)
            method, params = message["method"], message["params"]
        except (ValueError, TypeError, KeyError, RecursionError):  # the SDK responds to it
            return False
        if not isinstance(params, dict):
            return False
        if method == "notifications/cancelled":
            return self._cancel(params)
        if method != "tools/call" or "id" not in message or not params.keys() <= _KNOWN:
            return False
        name, arguments = params.get("name"), params.get("arguments") or {}
        meta = params.get("_meta") or {}
        if not isinstance(name, str) or name == HANDOFF or names_files(arguments):
            return False
        if not isinstance(arguments, dict) or not _is_known(meta):
            return False
        self._tells_changes = PROTOCOL not in meta
        prepared = self._client.prepare(name, arguments, OPERATOR)
        key = json.dumps(message["id"])
        call = asyncio.create_task(self._run(message["id"], prepared, meta))
        self._running[key] = call
        call.add_done_callback(lambda _: self._running.pop(key, None))
        return True

    def cancels(self, line: str) -> bool:
        """Cancel an early call if a line from the host says so. Return whether it did."""
        if not self._running or "notifications/cancelled" not in line:
            return False
        return self.take(line)

    def _cancel(self, params: Mapping[str, Any]) -> bool:
        call = self._running.get(json.dumps(params.get("requestId")))
        return call is not None and call.cancel()

    async def close(self) -> None:
        """Cancel the running calls."""
        for call in self._running.values():
            call.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _run(
        self, request: object, prepared: PreparedCall, meta: Mapping[str, object]
    ) -> None:
        token = meta.get(_TOKEN)

        async def report(now: CallProgress) -> None:
            if token is not None:
                self._write(
                    method="notifications/progress",
                    params={
                        "progressToken": token,
                        "progress": now.elapsed_ms,
                        "total": now.budget_ms,
                        "message": progress_text(now),
                    },
                )

        try:
            answer = await self._client.answer(prepared, OPERATOR, report)
        except Exception as error:  # the host waits for a response, whatever happens
            log.exception("an early call failed")
            self._write(id=request, error={"code": _INTERNAL, "message": str(error)})
        else:
            result = result_json(answer, self._structured)
            if PROTOCOL in meta:
                result |= {"resultType": "complete", "_meta": {_SERVER: _server()}}
            self._write(id=request, result=result)

    def _tools_changed(self) -> None:
        if self._tells_changes:
            self._write(method="notifications/tools/list_changed")

    def _write(self, **message: Any) -> None:
        self._send(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False))


_INTERNAL = -32603
"""JSON-RPC's code for an internal error."""
_TOKEN = "progressToken"
_CLIENT = "io.modelcontextprotocol/client"
_SERVER = "io.modelcontextprotocol/serverInfo"
_VERSION = "2026-07-28"
"""The protocol version whose results we know, beside those with a handshake."""
_KNOWN = {"name", "arguments", "_meta"}
"""The parameters of a call that needs nothing of the SDK."""


def _is_known(meta: object) -> bool:
    if not isinstance(meta, dict):
        return False
    known = {_TOKEN, PROTOCOL, f"{_CLIENT}Info", f"{_CLIENT}Capabilities"}
    return meta.keys() <= known and meta.get(PROTOCOL, _VERSION) == _VERSION


def _server() -> dict[str, str]:
    from tabwarden import __version__

    return {"name": "tabwarden", "version": __version__}
