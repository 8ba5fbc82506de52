"""Tools: the async API."""

from __future__ import annotations

from collections.abc import Collection
from types import TracebackType
from typing import Any, Self

from tabwarden.actions import Answer
from tabwarden.budget import Timeout
from tabwarden.tools.forms import Arguments, FormName
from tabwarden.tools.offer import Offer

__all__ = ["Tools"]


class Tools(Offer):
    """A browser's tools for any LLM API: defines the tools and runs a model's calls.

    Use ``async with Tools() as tools``. Without the block, call ``close()`` at the end.
    Safe to use from any event loop, or several.

    Args:
        source: an open ``Browser``, async or sync, which the tools and the model never open or
            close. Or a ``BrowserConfig`` or ``LiveConfig``, with which the tools open a browser on
            demand and close it at the end; changes to a ``LiveConfig`` are applied. With None, the
            configuration is read from the file and the environment, and later changes to the file
            are applied too.
        toolset: ``core`` (a few tools, to which the model can add others), ``full``, a dialect
            (such as ``claude-browser``), or a ``Toolset``.
        auto_open: whether the first call that needs a browser opens one. If False, the model must
            open a browser explicitly. None uses the toolset's default.
        task_id: the task's name in metrics and logs. By default, a name is generated.

    Raises:
        InvalidArgument: an argument or the configuration is invalid. The error identifies the
            field.
    """

    async def call(
        self, name: str, arguments: Arguments = None, *, timeout_ms: Timeout = None
    ) -> Answer:
        """Run a tool. Errors caused by the model or the page are reported in the result, not
        raised.

        Canceling the caller also stops a script that is running in the page.

        Args:
            name: the tool's name.
            arguments: an object, or the JSON text that some APIs send.
            timeout_ms: the limit for the whole call. Overrides the model's own ``timeout_ms``.

        Returns:
            ``text`` for the model, ``data`` for programs, ``picture`` (``data``, ``media_type``) if
            the tool took a screenshot, ``is_error``, and ``state``, the current state line.
            ``text`` does not include the state line.

        Raises:
            NotOpen: these tools are closed.
            InvalidArgument: ``timeout_ms`` is not a valid number.
        """
        self._check_open()
        return await self._engine.run_async(self._call(name, arguments, timeout_ms))

    async def answer(
        self, form: FormName, reply: Any, *, others: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        """Run the tool calls of a model's reply, in order, and return their results.

        Args:
            form: the API; see ``definitions``.
            reply: the API's reply or the message in it, as the SDK's object or a dictionary.
            others: your own tools whose names begin with ``browser``, such as those of OpenAI's
                browser toolset. Calls of other tools are skipped anyway.

        Returns:
            Messages to append to the conversation after the reply. The list is empty if the model
            called no browser tool. If there are no other tools, the model is then done. The list
            has no results for calls of your own tools; ``calls`` returns these calls.

        Raises:
            NotOpen: these tools are closed.
            InvalidArgument: ``form`` is unknown.
        """
        self._check_open()
        return await self._engine.run_async(self._answer_all(form, reply, others))

    async def close(self) -> None:
        """Close the browser if these tools opened it. A second call does nothing."""
        await self._engine.run_async(self._close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
