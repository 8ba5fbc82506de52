"""Runs in browser-use's own Python: its session, its tools and its DOM text, over JSON lines."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

os.environ["ANONYMIZED_TELEMETRY"] = "false"
os.environ["BROWSER_USE_LOGGING_LEVEL"] = "result"

from browser_use import BrowserProfile, BrowserSession, Tools  # type: ignore[import-not-found]


async def main(browser: str) -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # its own messages do not mix with the answers
    profile = BrowserProfile(
        executable_path=browser, headless=True, chromium_sandbox=False,
        enable_default_extensions=False,
    )  # fmt: skip
    session = BrowserSession(browser_profile=profile)
    await session.start()
    tools = Tools()
    tools.set_coordinate_clicking(True)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    while line := await lines.readline():
        asked = json.loads(line)
        try:
            told = await answer(session, tools, asked)
        except Exception as error:
            told = {"error": str(error) or type(error).__name__}
        out.write(json.dumps(told) + "\n")
        out.flush()
    await session.kill()


async def answer(session: Any, tools: Any, asked: dict[str, Any]) -> dict[str, str]:
    if asked["do"] == "look":
        state = await session.get_browser_state_summary(include_screenshot=False)
        return {"text": state.dom_state.llm_representation()}
    result = await tools.registry.execute_action(
        asked["do"], asked["with"], browser_session=session
    )
    if result.error:
        return {"error": result.error}
    return {"text": result.extracted_content or result.long_term_memory or ""}


asyncio.run(main(sys.argv[1]))
