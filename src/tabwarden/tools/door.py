"""Tools: the async door."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from tabwarden.actions import Answer
from tabwarden.budget import Timeout
from tabwarden.tools.calls import Arguments
from tabwarden.tools.forms import FormName
from tabwarden.tools.offer import Offer

__all__ = ["Tools"]


class Tools(Offer):
    """A browser's tools for any LLM API: their definitions, and what a call of one does.

    ``async with Tools() as tools``; without the block call ``close()``.
    Safe to use from any event loop, or several.

    Args:
        source: an open ``Browser`` of either kind, which is not closed and whose model can't open
            or close it; or a ``BrowserConfig`` (a ``LiveConfig`` is followed) for one that is
            opened on demand and closed at the end. None: the configuration of file and
            environment, followed as it changes.
        toolset: ``full``, ``core`` (the few that a small model needs), a dialect (``operator``,
            ``hermes``), or a ``Toolset``.
        auto_open: the first call that may opens a browser; else only what is for opening one
            does. None: as the toolset has it.
        task_id: names the work in metrics and logs; made up when left out.

    Raises:
        InvalidArgument: one of these is wrong, or the configuration is; names the field.
    """

    async def call(
        self, name: str, arguments: Arguments = None, *, timeout_ms: Timeout = None
    ) -> Answer:
        """Run a tool. What a model did wrong, and what the page did, is told, not raised.

        Cancelling the caller reaches the page: a script that runs there is stopped.

        Args:
            name: the tool's.
            arguments: an object, or its JSON text as some APIs give it.
            timeout_ms: for the whole call, whatever the model asks for; else as it asks.

        Returns:
            ``text`` for the model, ``data`` for programs, ``picture`` (``data``, ``media_type``)
            when one was taken, ``is_error``, and ``state``: the state line of that moment, which
            ``text`` does not hold.

        Raises:
            NotOpen: these tools were closed.
            InvalidArgument: ``timeout_ms`` is no such number.
        """
        self._check_open()
        return await self._engine.run_async(self._call(name, arguments, timeout_ms))

    async def answer(self, form: FormName, reply: Any) -> list[dict[str, Any]]:
        """Run the tool calls of a model's reply, in its order, and say what came of them.

        Args:
            form: the API's, as for ``definitions``.
            reply: what it answered, or its message: the SDK's object or a dictionary.

        Returns:
            Messages to append to the conversation, after the reply; empty when the model asked
            for no tool: it is done.

        Raises:
            NotOpen: these tools were closed.
            InvalidArgument: no such form.
        """
        self._check_open()
        return await self._engine.run_async(self._answer_all(form, reply))

    async def close(self) -> None:
        """Close the browser that was opened here; one that was given stays open. Safe to repeat."""
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
