"""Sync twin of ``tabwarden.tools.door``: the same names, for code without an event loop.

Generated from tools/door.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from tabwarden.actions import Answer
from tabwarden.budget import Timeout
from tabwarden.tools.forms import Arguments, FormName
from tabwarden.tools.offer import Offer

__all__ = ["Tools"]


class Tools(Offer):
    """A browser's tools for any LLM API: defines the tools and runs a model's calls.

    Use ``with Tools() as tools``. Without the block, call ``close()`` at the end.
    Safe to use from any thread.

    Args:
        source: an open ``Browser``, async or sync. The tools and the model never open or close it.
            Or a ``BrowserConfig`` or ``LiveConfig``: the tools open a browser on demand and close
            it at the end. They apply changes of a ``LiveConfig``. None reads the configuration from
            the file and the environment, and also applies changes.
        toolset: ``core`` (a few tools, to which the model adds others), ``full``, a dialect
            (``operator``, ``hermes``), or a ``Toolset``.
        auto_open: whether the first call that needs a browser opens one. If False, the model must
            open a browser explicitly. None uses the toolset's default.
        task_id: a name in metrics and logs. By default, the name is generated.

    Raises:
        InvalidArgument: an argument or the configuration is wrong. The error names the field.
    """

    def call(self, name: str, arguments: Arguments = None, *, timeout_ms: Timeout = None) -> Answer:
        """Run a tool. The answer reports errors of the model or the page; they are not raised.

        Cancelling the caller also stops a script that is running in the page.

        Args:
            name: the tool's name.
            arguments: an object, or the JSON text that some APIs send.
            timeout_ms: the limit for the whole call. Overrides the model's own ``timeout_ms``.

        Returns:
            ``text`` for the model, ``data`` for programs, ``picture`` (``data``, ``media_type``) if
            the tool took one, ``is_error``, and ``state``, the current state line. ``text`` does
            not include the state line.

        Raises:
            NotOpen: these tools are closed.
            InvalidArgument: ``timeout_ms`` is not a valid number.
        """
        self._check_open()
        return self._engine.run_sync(self._call(name, arguments, timeout_ms))

    def answer(self, form: FormName, reply: Any) -> list[dict[str, Any]]:
        """Run the tool calls of a model's reply, in order, and return their results.

        Args:
            form: the API; see ``definitions``.
            reply: the API's reply or the message in it, as the SDK's object or a dictionary.

        Returns:
            Messages to append to the conversation after the reply. The list is empty if the model
            called no tool of a browser. Without other tools, that means that the model is done.
            Calls of your own tools have no result here: ``calls`` has them.

        Raises:
            NotOpen: these tools are closed.
            InvalidArgument: ``form`` is unknown.
        """
        self._check_open()
        return self._engine.run_sync(self._answer_all(form, reply))

    def close(self) -> None:
        """Close the browser if these tools opened it. A second call does nothing."""
        self._engine.run_sync(self._close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
