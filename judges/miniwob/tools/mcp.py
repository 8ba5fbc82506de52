"""The common client for MCP servers, which returns text or raises a refusal."""

from __future__ import annotations

import base64
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from judges.miniwob.tools.tool import Refused

__all__ = ["Caller", "server"]

CALL_S = 40


class Caller:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def __call__(self, tool: str, **arguments: Any) -> str:
        """Call a tool.

        Raises:
            Refused: it answered with an error.
        """
        result = await self._client.call_tool(tool, arguments, read_timeout_seconds=CALL_S)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        if result.is_error:
            raise Refused(text)
        return text

    async def picture(self, tool: str, **arguments: Any) -> bytes:
        """Return the image in a tool's answer."""
        result = await self._client.call_tool(tool, arguments, read_timeout_seconds=CALL_S)
        for part in result.content:
            if part.type == "image":
                return base64.b64decode(part.data)
        raise Refused("\n".join(part.text for part in result.content if part.type == "text"))


@asynccontextmanager
async def server(program: Path, arguments: Sequence[str]) -> AsyncIterator[Caller]:
    """Start an MCP server in a separate folder, until the block ends."""
    with TemporaryDirectory(prefix="mw-", ignore_cleanup_errors=True) as folder:
        parameters = StdioServerParameters(
            command=str(program), args=list(arguments), env={**os.environ}, cwd=folder
        )
        with (Path(folder) / "stderr").open("w") as said:
            async with Client(stdio_client(parameters, said)) as client:
                yield Caller(client)
