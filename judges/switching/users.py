"""A running tool, as an agent uses it, with counts of its calls and the text that the agent
reads."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client

__all__ = ["McpUser", "ShellUser", "User"]

CALL_S = 40.0
REF = r"\b(?:ref|uid)=(\w+)"


@dataclass
class User:
    """An agent's session with a tool."""

    calls: int = 0
    answers: list[str] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """The answers that the tool reported as errors."""
    definitions: int = 0
    """Characters that the agent reads before its first call: definitions of tools, or a skill."""

    @property
    def read(self) -> int:
        """Characters in all answers, without images."""
        return sum(map(len, self.answers))

    def ref(self, name: str) -> str:
        """Return the ref of the element ``name`` from the last answer that shows it.

        Raises:
            LookupError: no answer shows it.
        """
        for text in reversed(self.answers):
            for line in text.splitlines():
                if name in line and (found := re.search(REF, line)):
                    return found[1]
        raise LookupError(f"no answer shows {name}")

    def found(self, pattern: str) -> str:
        """Return the match of a pattern's group in the last answer that contains it.

        Raises:
            LookupError: no answer contains it.
        """
        for text in reversed(self.answers):
            if found := re.search(pattern, text):
                return found[1]
        raise LookupError(f"no answer has {pattern}")


@dataclass
class McpUser(User):
    client: Client | None = None
    given: dict[str, Any] = field(default_factory=dict)
    """Additional arguments for each tool."""

    async def count(self) -> None:
        """Count the characters of the listed definitions; the maximum counts."""
        assert self.client is not None
        listed = 0
        for tool in (await self.client.list_tools()).tools:
            seen = tool.model_dump(by_alias=True, exclude_none=True)
            shown = {key: seen.get(key, "") for key in ("name", "description", "inputSchema")}
            listed += len(json.dumps(shown, ensure_ascii=False))
        self.definitions = max(self.definitions, listed)

    async def look_for(self, name: str, tool: str) -> None:
        """Call a tool that shows the page, unless the last answer shows the element."""
        if not self.answers or name not in self.answers[-1]:
            await self.call(tool)

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool. Return the text that the agent reads."""
        assert self.client is not None
        self.calls += 1
        result = await self.client.call_tool(
            tool, {**self.given, **arguments}, read_timeout_seconds=CALL_S
        )
        text = "\n".join(part.text for part in result.content if part.type == "text")
        self.pictures += [
            base64.b64decode(part.data) for part in result.content if part.type == "image"
        ]
        self.answers.append(text)
        if result.is_error:
            self.failed.append(text)
        return text


@dataclass
class ShellUser(User):
    program: Path = Path()
    folder: Path = Path()
    env: dict[str, str] = field(default_factory=dict)

    async def begin(self, *commands: str) -> None:
        """Read the skill's core, and the help of the commands that it does not explain."""
        texts = [await self._said("skills", "get", "core")]
        texts += [await self._said(command, "--help") for command in commands]
        self.definitions = sum(map(len, texts))

    async def run(self, *words: str) -> str:
        """Run a command. Return the text that the agent reads."""
        self.calls += 1
        text = await self._said(*words)
        self.answers.append(text)
        return text

    async def prepare(self, *words: str, stdin: str = "") -> str:
        """Run a command as the person, not as the agent."""
        return await self._said(*words, stdin=stdin)

    async def _said(self, *words: str, stdin: str = "") -> str:
        process = await asyncio.create_subprocess_exec(
            self.program, *words, env=self.env, cwd=self.folder,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        try:
            async with asyncio.timeout(CALL_S):
                said, _ = await process.communicate(stdin.encode())
        except TimeoutError:
            process.kill()
            await process.wait()
            raise
        text = said.decode(errors="replace")
        if process.returncode:
            self.failed.append(text)
        return text
