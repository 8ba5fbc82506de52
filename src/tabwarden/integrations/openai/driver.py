"""Drivers for OpenAI's SDK: ``openai.lib.browser`` over one Tabwarden session."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tabwarden.actions import Answer
from tabwarden.integrations.members import FUNCTION_TOOLS, tabs
from tabwarden.integrations.members.changes import Window
from tabwarden.integrations.members.driving import AsyncDriver, Dialogs, SyncDriver, driver_tools
from tabwarden.integrations.openai.dialect import OpenAITools, openai
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import data_url
from tabwarden.tools.offer import Offer, Source

with needs("openai", "openai", at_least="3.31"):
    from openai.lib.browser import AsyncBrowserToolset, BrowserError, BrowserToolset
    from openai.lib.responses_tool_runner import AsyncRegisteredFunction, RegisteredFunction

__all__ = ["AsyncOpenAIBrowser", "OpenAIBrowser"]

Grants: TypeAlias = Callable[[str], str | Path | None]
"""Returns the path of the file to upload, or the id of the download to wait for; None refuses."""

_log = logging.getLogger(__name__)
_IMAGES = ("screenshot", "zoom")
_REPORTS = ("read_page_scoped", "read_diagnostics")
_FILES = ("upload_file", "download_file")
_HOST = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
)
_PLAIN = re.compile(rf"https?://({_HOST.pattern})(?::\d{{1,5}})?(?=[/?#]|\Z)", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)", re.IGNORECASE)
_IPV4 = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}")


class _Driving:
    """What both drivers share."""

    _tools: Offer
    _toolset: OpenAITools

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = FUNCTION_TOOLS,
        grants: Grants | None = None,
    ) -> None:
        self._toolset = OpenAITools(function_tools)
        self._tools = driver_tools(source, self._toolset, dialogs)
        self._window = Window(self._tools.browser)
        self._grants = grants

    def _granted(self, name: str, action: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return a member's fields with the file that a grant stands for; None if it is refused."""
        fields = {field: value for field, value in action.items() if value is not None}
        if name in _FILES:
            path = self._grants(fields["grant_id"]) if self._grants is not None else None
            if path is None:
                return None
            is_file = name == "upload_file"
            fields["grant_id"] = str(Path(path).resolve() if is_file else path)
        return fields

    def _result(self, name: str, answer: Answer) -> Any:
        """Return what the SDK expects of a member."""
        if name in _FILES:
            return _file_outcome(answer)
        if answer.is_error:
            raise BrowserError(answer.text)
        if name in _IMAGES and answer.picture is not None:
            return {"type": "input_image", "image_url": data_url(answer.picture), "detail": "auto"}
        if name in _REPORTS:
            text = answer.data["text"]
            report = {"version": 1, "text": text, "elements": [], "omitted": []}
            return report | (
                {"scopes": answer.data.get("scopes", [])} if name == "read_page_scoped" else {}
            )
        return None if answer.data.get("dismissed") else answer.data["text"] or None

    def _state(self) -> dict[str, Any]:
        """Return the tabs and the window of changes. Never raises: the SDK would end the run."""
        try:
            entries = tabs.tab_entries(self._tools.browser)
            return {
                "tabs": [
                    {
                        "id": one["tab_id"],
                        "title": one["title"].encode("utf-8", "replace").decode(),
                        "url": _plain_url(one["url"]),
                        "active": one["active"],
                    }
                    for one in entries
                ],
                "observation": self._window.report(self._tools.browser),
            }
        except Exception:  # noqa: BLE001 - whatever it is, the run must not end
            _log.exception("The state report failed.")
            return {"tabs": [], "observation": self._window.report(None)}


class OpenAIBrowser(SyncDriver, _Driving):
    """A driver of ``openai.lib.browser.BrowserToolset`` over Tabwarden.

    ``ResponsesToolRunner(client, browser=driver.toolset(confirm=..., url_policy=...),
    functions=driver.function_tools)``. Use ``with OpenAIBrowser() as driver``, or call ``close()``
    at the end. The first call opens the browser.

    Args:
        source: as for ``tabwarden.tools.Tools``: an open ``Browser``, a configuration, or None.
        dialogs: ``ask``: the model answers dialogs with ``browser_dialog``, if the program took
            ``function_tools``. ``dismiss`` or ``accept``: Tabwarden does, and the state says so.
            An open ``Browser`` keeps its own policy.
        function_tools: which tools of ours ``function_tools`` has.
        grants: returns the path of the file that ``upload_file`` may use, or the id of the
            download that ``download_file`` waits for. Without it, both are refused.

    Raises:
        InvalidArgument: an argument is not valid.
    """

    def toolset(self, **options: Any) -> BrowserToolset:
        """Return the SDK's toolset with this driver.

        Args:
            options: ``confirm``, ``url_policy``, ``members``, ``additional_members`` and
                ``confirm_reads`` of ``openai.lib.browser.BrowserToolset``.
        """
        return BrowserToolset(self, **options)

    @property
    def function_tools(self) -> list[RegisteredFunction]:
        """Tools that answer dialogs and prompts, for the runner's ``functions``."""
        return [
            RegisteredFunction(_definition(tool), self._function(tool.name))
            for tool in self._toolset.offer_function_tools(self._tools)
        ]

    def state(self) -> Any:
        """Return the tabs and the changes. See ``openai.lib.browser.BrowserDriver``."""
        return self._state()

    def _run(self, name: str, action: Mapping[str, Any]) -> Any:
        fields = self._granted(name, action)
        if fields is None:
            return _REFUSED
        return self._result(name, self._tools.call_sync(f"browser_{name}", fields))

    def _function(self, name: str) -> Callable[[dict[str, object]], str]:
        return lambda arguments: self._tools.call_sync(name, arguments).text


class AsyncOpenAIBrowser(AsyncDriver, _Driving):
    """A driver of ``openai.lib.browser.AsyncBrowserToolset``. See ``OpenAIBrowser``.

    Use ``async with AsyncOpenAIBrowser() as driver``.
    """

    def toolset(self, **options: Any) -> AsyncBrowserToolset:
        """Return the SDK's toolset with this driver. See ``OpenAIBrowser.toolset``."""
        return AsyncBrowserToolset(self, **options)

    @property
    def function_tools(self) -> list[AsyncRegisteredFunction]:
        """Tools that answer dialogs and prompts, for the runner's ``functions``."""
        return [
            AsyncRegisteredFunction(_definition(tool), self._function(tool.name))
            for tool in self._toolset.offer_function_tools(self._tools)
        ]

    async def state(self) -> Any:
        """Return the tabs and the changes. See ``openai.lib.browser.AsyncBrowserDriver``."""
        return self._state()

    async def _run(self, name: str, action: Mapping[str, Any]) -> Any:
        fields = self._granted(name, action)
        if fields is None:
            return _REFUSED
        return self._result(name, await self._tools.call_async(f"browser_{name}", fields))

    def _function(self, name: str) -> Callable[[dict[str, object]], Awaitable[str]]:
        async def call(arguments: dict[str, object]) -> str:
            return (await self._tools.call_async(name, arguments)).text

        return call


def _add_members() -> None:
    """Give both drivers a method for each member, because the SDK looks for methods."""

    def sync_member(name: str, about: str) -> Callable[..., Any]:
        def member(self: OpenAIBrowser, action: Mapping[str, Any]) -> Any:
            return self._run(name, action)

        member.__name__, member.__doc__ = name, about
        return member

    def async_member(name: str, about: str) -> Callable[..., Any]:
        async def member(self: AsyncOpenAIBrowser, action: Mapping[str, Any]) -> Any:
            return await self._run(name, action)

        member.__name__, member.__doc__ = name, about
        return member

    for name, one in openai.table.items():
        setattr(OpenAIBrowser, name, sync_member(name, one.about))
        setattr(AsyncOpenAIBrowser, name, async_member(name, one.about))


_add_members()

_REFUSED = {"version": 1, "status": "refused", "effect": "none", "cleanup": "completed"}


def _file_outcome(answer: Answer) -> dict[str, Any]:
    if not answer.is_error:
        return {"version": 1, "status": "completed", "effect": "completed", "cleanup": "completed"}
    if answer.data["error"]["code"] in ("budget_exceeded", "cancelled"):
        return {"version": 1, "status": "unknown", "effect": "unknown", "cleanup": "completed"}
    return _REFUSED


def _definition(tool: Any) -> Any:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema,
        "strict": False,  # strict schemas don't allow optional parameters
    }


def _plain_url(url: str) -> str:
    """Return a tab's URL if the SDK's state accepts it, else ``about:blank``: any other URL ends
    the run (openai 3.57.0)."""
    match = _PLAIN.match(url)
    if match is None:
        return "about:blank"
    host = match[1]
    if _NUMBER.fullmatch(host.rpartition(".")[2]) and not _IPV4.fullmatch(host):
        return "about:blank"
    return url
