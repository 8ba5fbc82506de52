#!/bin/sh
# A tool argument of type `str | None` does not receive the text that the client sent.
#
# Versions: PyPI mcp 2.3.0, pydantic 2.14.4
# Seen: the client sends the same four strings to a parameter `str` and to a parameter `str | None`.
#     "plain words"  str: as sent    str | None: as sent
#     "12"           str: as sent    str | None: as sent
#     "null"         str: as sent    str | None: None
#     "[1, 2]"       str: as sent    str | None: error, "Input should be a valid string"
# Why it is surprising: The server's published schema allows any string in both places, and "or None" should
#     only add a value. But unless the parameter's type is exactly `str`, the SDK first decodes a string as
#     JSON, and discards the decoded value only if it is a string or a number. So a tool that types text
#     into a page works until a developer makes the text optional, and then until a user types a list. The
#     published schemas of the two tools differ only in the null.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
pypi mcp==2.3.0 pydantic==2.14.4
python - 2>/dev/null <<'PY'
import asyncio

from mcp import Client
from mcp.server.mcpserver import MCPServer

server = MCPServer("typing")


@server.tool()
def strict(text: str) -> str:
    return repr(text)


@server.tool()
def optional(text: str | None = None) -> str:
    return repr(text)


async def main() -> list[tuple[str, str]]:
    seen = []
    async with Client(server) as client:
        for text in ("plain words", "12", "null", "[1, 2]"):
            answers = []
            for tool in ("strict", "optional"):
                result = await client.call_tool(tool, {"text": text})
                said = result.content[0].text
                answers.append("error" if result.is_error else said)
            print(f"{text!r:15} str: {answers[0]:15} str | None: {answers[1]}")
            seen.append(tuple(answers))
    return seen


seen = asyncio.run(main())
assert seen == [
    ("'plain words'", "'plain words'"),
    ("'12'", "'12'"),
    ("'null'", "None"),
    ("'[1, 2]'", "error"),
], seen
PY
