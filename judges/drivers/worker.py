"""Runs one driver in its own Python environment, and plays the calls that it reads from stdin.

``python worker.py PRODUCT CONTRACT OPTIONS``: each line of stdin is a JSON object ``{"do", ...}``,
and each line of stdout is the answer. The module imports nothing of this repository, because the
other products' environments lack it.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

Answer = dict[str, Any]

ALL_ANTHROPIC = ("file_upload", "javascript_exec", "read_console", "read_network")
"""The members that are off by default."""
BLOCKED = "blocked.example"
"""The host that the URL policy refuses, the same for all drivers."""


class AnthropicDriver:
    """A driver for Anthropic's toolset behind the SDK's pipeline."""

    def __init__(self, driver: Any, functions: list[Any]) -> None:
        self._driver = driver
        self._functions = functions

    async def call(self, call_id: str, member: str, given: dict[str, Any]) -> Answer:
        from anthropic.types.beta import BetaToolUseBlock

        block = BetaToolUseBlock.model_validate(
            {
                "type": "tool_use", "id": call_id, "name": member, "input": given,
                "toolset_name": "browser",
            }
        )  # fmt: skip
        return dict(await self._driver.tool_result(block))

    async def function(self, name: str, given: dict[str, Any]) -> Answer:
        for tool in self._functions:
            if tool.name == name:
                return {"content": await _settled(tool.call(given))}
        return {"absent": True}

    def tools(self) -> list[Any]:
        return [self._driver.to_dict(), *(tool.to_dict() for tool in self._functions)]


class OpenAIDriver:
    """A driver for OpenAI's toolset behind the SDK's pipeline."""

    def __init__(self, toolset: Any, functions: list[Any], grant: Callable[..., Any]) -> None:
        self._toolset = toolset
        self._functions = functions
        self.grant = grant

    async def call(self, call_id: str, member: str, given: dict[str, Any]) -> Answer:
        from openai.types.responses import ResponseFunctionToolCall

        call = ResponseFunctionToolCall(
            type="function_call", call_id=call_id, name=f"browser_{member}",
            arguments=json.dumps(given),
        )  # fmt: skip
        return dict(await self._toolset.execute(call))

    async def function(self, name: str, given: dict[str, Any]) -> Answer:
        for function in self._functions:
            if function.tool["name"] == name:
                return {"content": await _settled(function.execute(given))}
        return {"absent": True}

    def tools(self) -> list[Any]:
        return [*self._toolset.tools, *(function.tool for function in self._functions)]


async def _settled(value: Any) -> Any:
    return await value if isinstance(value, Awaitable) else value


# -- Anthropic's contract --------------------------------------------------------------------------


def _anthropic_options(options: dict[str, Any]) -> dict[str, Any]:
    from anthropic.tools import ToolError
    from anthropic.tools.browser import BetaLocalFilePolicy

    def url_policy(context: Any, url: str) -> None:
        if BLOCKED in url:
            raise ToolError(f"{BLOCKED} is not allowed")

    return {
        "configs": {name: {"enabled": True} for name in ALL_ANTHROPIC},
        "confirm": lambda context: True,
        "url_policy": url_policy,
        "file_policy": BetaLocalFilePolicy(upload_roots=[options["uploads"]]),
    }


@asynccontextmanager
async def stagehand_anthropic(options: dict[str, Any]) -> AsyncIterator[AnthropicDriver]:
    from stagehand_claude_sdk import StagehandBrowser

    given = _anthropic_options(options)
    del given["url_policy"], given["file_policy"]
    driver = await StagehandBrowser.launch(
        chrome_path=options["browser"],
        upload_roots=[options["uploads"]],
        blocked_domains=[BLOCKED],  # it refuses a url_policy, which its browser can't enforce
        **given,
    )
    async with driver:
        yield AnthropicDriver(driver, [])


@asynccontextmanager
async def browser_use_anthropic(options: dict[str, Any]) -> AsyncIterator[AnthropicDriver]:
    from browser_use.integrations.anthropic import BrowserUse

    async with (
        _browser_use_session(options) as session,
        BrowserUse(session, **_anthropic_options(options)) as driver,
    ):
        yield AnthropicDriver(driver, [])


@asynccontextmanager
async def tabwarden_anthropic(options: dict[str, Any]) -> AsyncIterator[AnthropicDriver]:
    from tabwarden.integrations.anthropic import AsyncClaudeBrowser

    async with AsyncClaudeBrowser(**_anthropic_options(options)) as driver:
        yield AnthropicDriver(driver, list(driver.function_tools))


# -- OpenAI's contract -----------------------------------------------------------------------------


async def _approve(context: Any, **more: Any) -> bool:
    return True


async def _approve_url(context: Any, url: str, **more: Any) -> bool:
    return BLOCKED not in url


@asynccontextmanager
async def stagehand_openai(options: dict[str, Any]) -> AsyncIterator[OpenAIDriver]:
    from openai.lib.browser import BROWSER_MEMBERS
    from stagehand_openai_sdk import (
        DownloadGrant,
        DownloadOptions,
        StagehandBrowserDriver,
        UploadOptions,
        create_browser_toolset,
    )

    async def resolve_upload(grant_id: str, tab_id: str | None) -> str | None:
        return grants.get(grant_id)

    async def deliver(path: str, candidate: Any) -> None:
        shutil.copyfile(path, grants["download"])

    async def resolve_download(grant_id: str, tab_id: str | None) -> Any:
        return DownloadGrant(accept=lambda candidate: True, deliver=deliver)

    grants: dict[str, str] = {}
    driver = await StagehandBrowserDriver.launch(
        chrome_path=options["browser"],
        uploads=UploadOptions(roots=[options["uploads"]], resolve_grant=resolve_upload),
        downloads=DownloadOptions(resolve_grant=resolve_download),
    )

    async def grant(operation: str, path: str, ref: str, url: str) -> str:
        grants[operation] = path
        return operation

    try:
        toolset = create_browser_toolset(
            driver, members=BROWSER_MEMBERS, confirm=_approve, url_policy=_approve_url
        )
        yield OpenAIDriver(toolset, [], grant)
    finally:
        await driver.close()


@asynccontextmanager
async def browser_use_openai(options: dict[str, Any]) -> AsyncIterator[OpenAIDriver]:
    from browser_use.integrations.openai import BrowserUse
    from openai.lib.browser import BROWSER_MEMBERS, AsyncBrowserToolset

    async def grant(operation: str, path: str, ref: str, url: str) -> str:
        if operation == "upload":
            return str(await driver.grant_upload(path, target=ref))
        return str(await driver.grant_download(url, path))

    async with _browser_use_session(options) as session, BrowserUse(session) as driver:
        toolset = AsyncBrowserToolset(
            driver, members=BROWSER_MEMBERS, confirm=_approve, url_policy=_approve_url
        )
        yield OpenAIDriver(toolset, [], grant)


@asynccontextmanager
async def tabwarden_openai(options: dict[str, Any]) -> AsyncIterator[OpenAIDriver]:
    from openai.lib.browser import BROWSER_MEMBERS

    from tabwarden.integrations.openai import AsyncOpenAIBrowser

    async def grant(operation: str, path: str, ref: str, url: str) -> str:
        grants[operation] = path if operation == "upload" else "dl-1"
        return operation

    grants: dict[str, str] = {}
    async with AsyncOpenAIBrowser(grants=grants.get) as driver:
        toolset = driver.toolset(members=BROWSER_MEMBERS, confirm=_approve, url_policy=_approve_url)
        yield OpenAIDriver(toolset, list(driver.function_tools), grant)


@asynccontextmanager
async def _browser_use_session(options: dict[str, Any]) -> AsyncIterator[Any]:
    from browser_use.browser.session import BrowserSession

    session = BrowserSession(
        executable_path=options["browser"],
        headless=True,
        chromium_sandbox=False,
        enable_default_extensions=False,  # they would be downloaded
        user_data_dir=f"{options['folder']}/profile",
    )
    await session.start()
    try:
        yield session
    finally:
        await session.kill()


OPENERS: dict[tuple[str, str], Callable[[dict[str, Any]], Any]] = {
    ("tabwarden", "anthropic"): tabwarden_anthropic,
    ("stagehand", "anthropic"): stagehand_anthropic,
    ("browser-use", "anthropic"): browser_use_anthropic,
    ("tabwarden", "openai"): tabwarden_openai,
    ("stagehand", "openai"): stagehand_openai,
    ("browser-use", "openai"): browser_use_openai,
}


async def obey(driver: Any, order: dict[str, Any]) -> Answer:
    began = time.perf_counter()
    try:
        if order["do"] == "tools":
            answer: Answer = {"tools": driver.tools()}
        elif order["do"] == "function":
            answer = await driver.function(order["name"], order["input"])
        elif order["do"] == "grant":
            answer = {"grant": await driver.grant(*order["input"])}
        else:
            answer = await driver.call(order["id"], order["name"], order["input"])
    except Exception as error:
        # What reaches this ends the run of the SDK's tool runner.
        answer = {"raised": f"{type(error).__name__}: {error}"[:500]}
    return {"answer": answer, "seconds": time.perf_counter() - began}


async def main(product: str, contract: str, options: dict[str, Any], answers: Any) -> None:
    def write(answer: Answer) -> None:
        answers.write(json.dumps(answer, default=str) + "\n")
        answers.flush()

    loop = asyncio.get_running_loop()
    async with OPENERS[product, contract](options) as driver:
        write({"ready": True})
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            write(await obey(driver, json.loads(line)))


if __name__ == "__main__":
    # The products print to stdout too, so the answers get a descriptor of their own.
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), own))
