"""Drivers for Anthropic's SDK: ``browser_toolset_20260801`` over one Tabwarden session."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from tabwarden.actions import Answer
from tabwarden.integrations.anthropic.dialect import ClaudeTools
from tabwarden.integrations.anthropic.function_tools import (
    async_function_tools,
    sync_function_tools,
)
from tabwarden.integrations.members import FUNCTION_TOOLS, tabs
from tabwarden.integrations.members.changes import ClaudeReport
from tabwarden.integrations.members.driving import Dialogs, driver_tools
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import base64_of
from tabwarden.tools.offer import Offer, Source

with needs("anthropic", "anthropic", at_least="1.12"):
    from anthropic.lib.tools import ToolError
    from anthropic.tools.browser import (
        BetaAbstractBrowserToolset20260801,
        BetaAsyncAbstractBrowserToolset20260801,
        BetaBrowserNavigateResult,
        BetaBrowserState,
        BetaDialogDismissed,
        BetaNavigationRefused,
        BetaScreenshotResult,
        BetaToolsetCallContext,
    )

__all__ = ["AsyncClaudeBrowser", "ClaudeBrowser"]

_TABS = ("new_tab", "switch_tab")
_log = logging.getLogger(__name__)


class _Driving:
    """What both drivers share."""

    _tools: Offer
    _toolset: ClaudeTools
    _report: ClaudeReport

    def _open(
        self,
        source: Source,
        dialogs: Dialogs,
        function_tools: Sequence[str],
        documents: Callable[[str], str] | None,
    ) -> None:
        self._toolset = ClaudeTools(function_tools)
        self._tools = driver_tools(source, self._toolset, dialogs)
        self._report = ClaudeReport(self._tools.browser)
        self._documents = documents

    def _arguments(self, name: str, input: Any) -> dict[str, Any]:  # noqa: A002 - the SDK's name
        """Return a member's fields. A document's id becomes its path."""
        sent = input.model_dump(by_alias=True, exclude_none=True)
        fields = self._toolset.fields_of(name, sent)
        if name == "file_upload":
            ids = fields.pop("document_ids", ())
            if ids and self._documents is None:
                raise ToolError("This browser can't read documents by id. Give paths.")
            if ids and self._documents is not None:
                paths = [self._documents(one) for one in ids]
                fields["paths"] = [*fields.get("paths", ()), *paths]
        return fields

    def _result(self, name: str, answer: Answer) -> Any:
        """Return what the SDK expects of a member."""
        if answer.is_error:
            raise ToolError(answer.text)
        if answer.picture is not None:
            return BetaScreenshotResult(data=base64_of(answer.picture), media_type="image/png")
        if name == "navigate":
            if answer.data["waits"]:  # the contract's result has no text for a dialog
                raise ToolError(answer.text)
            where = {field: answer.data[field] for field in ("url", "status", "title")}
            return BetaBrowserNavigateResult(**where)
        if name in _TABS:
            return answer.data["tab"]
        if name == "list_tabs":
            return answer.data["tabs"]
        # The state reports a dialog that the policy dismissed.
        return None if answer.data.get("dismissed") else answer.data["text"]

    def _state(self) -> BetaBrowserState:
        """Return the tabs, and each change once. Never raises: the SDK would end the run."""
        try:
            changes: list[Any] = [
                {"dialog": BetaDialogDismissed, "refused": BetaNavigationRefused}[kind](**fields)
                if kind in ("dialog", "refused")
                else fields
                for kind, fields in self._report.changes(self._tools.browser)
            ]
            entries: list[Any] = tabs.tab_entries(self._tools.browser)
            return BetaBrowserState(tabs=entries, state_changes=changes)
        except Exception:  # noqa: BLE001 - whatever it is, the run must not end
            _log.exception("The state report failed.")
            return BetaBrowserState(tabs=[], state_changes=[])


class ClaudeBrowser(_Driving, BetaAbstractBrowserToolset20260801):
    """Anthropic's browser toolset over Tabwarden, for ``Anthropic`` and ``tool_runner``.

    ``client.beta.messages.tool_runner(tools=[browser, *browser.function_tools], ...)``. Use
    ``with ClaudeBrowser() as browser``, or call ``close()`` at the end. The first call opens the
    browser.

    Args:
        source: as for ``tabwarden.tools.Tools``: an open ``Browser``, a configuration, or None.
        dialogs: ``ask``: the model answers dialogs with ``browser_dialog``, if the program took
            ``function_tools``. ``dismiss`` or ``accept``: Tabwarden does, and the result says so.
            An open ``Browser`` keeps its own policy.
        function_tools: which tools of ours ``function_tools`` has.
        documents: returns the path of a document that ``file_upload`` names by id.
        sdk_options: ``configs``, ``confirm``, ``url_policy``, ``file_policy``, ``tool_configs``.

    Raises:
        InvalidArgument: an argument of ours is not valid.
        anthropic.lib.tools.ToolsetConfigError: an option of the SDK is not valid.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = FUNCTION_TOOLS,
        documents: Callable[[str], str] | None = None,
        **sdk_options: Any,
    ) -> None:
        super().__init__(**sdk_options)
        self._open(source, dialogs, function_tools, documents)

    @property
    def function_tools(self) -> list[Any]:
        """Tools that answer dialogs and prompts, for ``tools=`` beside this toolset."""
        return sync_function_tools(self._tools, self._toolset)

    def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> Any:  # noqa: A002
        """Run a member. See the SDK's ``execute``."""
        _ = context
        return self._result(name, self._tools.call_sync(name, self._arguments(name, input)))

    def close(self) -> None:
        """Stop the running call, and close the browser if this driver opened it."""
        self._tools.close_sync()
        super().close()

    def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        _ = context
        return self._state()


class AsyncClaudeBrowser(_Driving, BetaAsyncAbstractBrowserToolset20260801):
    """Anthropic's browser toolset over Tabwarden, for ``AsyncAnthropic``. See ``ClaudeBrowser``.

    Use ``async with AsyncClaudeBrowser() as browser``.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        dialogs: Dialogs = "ask",
        function_tools: Sequence[str] = FUNCTION_TOOLS,
        documents: Callable[[str], str] | None = None,
        **sdk_options: Any,
    ) -> None:
        super().__init__(**sdk_options)
        self._open(source, dialogs, function_tools, documents)

    @property
    def function_tools(self) -> list[Any]:
        """Tools that answer dialogs and prompts, for ``tools=`` beside this toolset."""
        return async_function_tools(self._tools, self._toolset)

    async def execute(
        self,
        context: BetaToolsetCallContext,
        name: Any,
        input: Any,  # noqa: A002
    ) -> Any:
        """Run a member. See the SDK's ``execute``."""
        _ = context
        arguments = self._arguments(name, input)
        return self._result(name, await self._tools.call_async(name, arguments))

    async def close(self) -> None:
        """Stop the running call, and close the browser if this driver opened it."""
        await self._tools.close_async()
        await super().close()

    async def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        _ = context
        return self._state()
