"""Offer: what a model is offered of one browser, and what a call of it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, TypeAlias

import msgspec

from tabwarden.actions import ACTIONS, Answer, Session, Tool, Toolset
from tabwarden.actions.dispatch import refused
from tabwarden.browser import Browser
from tabwarden.budget import Budget, Timeout
from tabwarden.config import BrowserConfig, config_file, load_config
from tabwarden.errors import Denied, InvalidArgument, NotOpen, TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.supervisor import engine_loop
from tabwarden.surfaces.choosing import toolset_of
from tabwarden.surfaces.opening import session_of
from tabwarden.sync import Browser as SyncBrowser
from tabwarden.tools.calls import Arguments, Call, arguments_of
from tabwarden.tools.forms import Answered, FormName, form_named
from tabwarden.tools.lent import LentSession
from tabwarden.tools.state import with_state
from tabwarden.tools.turns import Turns

__all__ = ["NOT_OPEN", "Offer", "Source"]

Source: TypeAlias = Browser | SyncBrowser | BrowserConfig | LiveConfig | None
"""Whose tools: of an open browser, or of one that is opened on demand as a configuration says."""

NOT_OPEN = "[Browser: not open]"


class Offer:
    """What ``Tools`` and its sync twin share.

    The session lives on the engine's loop, so that neither the caller's loop nor its thread
    matters, and each of them may be another one from call to call.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        toolset: str | Toolset = "full",
        auto_open: bool | None = None,
        task_id: str | None = None,
    ) -> None:
        self._engine = engine_loop()
        self._toolset = (
            toolset_of(toolset, field="toolset") if isinstance(toolset, str) else toolset
        )
        self._is_closed = False
        self._config: Callable[[], BrowserConfig]
        self._session: Session
        if isinstance(source, Browser | SyncBrowser):
            if task_id is not None:
                raise InvalidArgument(
                    "task_id is for a browser that is opened here; this one has its own.",
                    "Give it to Browser.launch() or connect().",
                    field="task_id",
                )
            self._config, self._session = lambda: source.config, LentSession(source)
        else:
            live = _live(source)
            self._config = lambda: live.browser
            opens = self._toolset.auto_open if auto_open is None else auto_open
            self._session = session_of(live, auto_open=opens, task_id=task_id)
        self._obeyed = self._config()

    @property
    def instructions(self) -> str:
        """What a model is to be told once, in its system prompt, about all tools together."""
        return self._toolset.instructions

    @property
    def is_open(self) -> bool:
        """Whether ``close`` has not been called. (The browser itself is opened on demand.)"""
        return not self._is_closed

    @property
    def browser(self) -> Browser | None:
        """The browser that is open, if any: for what the program itself does with it."""
        return self._session.current

    def offered(self) -> list[Tool]:
        """The tools that work as things stand.

        What the configuration switches off is not among them, nor what the browser can't do; ask
        again on each turn.

        Returns:
            Each with ``name``, ``description``, ``input_schema`` (JSON Schema) and ``read_only``.
        """
        tools = self._toolset.tools(self._config_now(), self._session)
        return [tool for tool in tools if not self._keeps(tool.name)]

    def known(self) -> list[Tool]:
        """All tools, whether or not they work as things stand: for frameworks that take a list
        once, and ask of each later whether it is to be shown (``is_offered``)."""
        switches = {one.switch: True for one in ACTIONS.values() if one.switch is not None}
        everything = self._config_now().model_copy(update={"enabled": True, **switches})
        tools = self._toolset.tools(everything, session_of(everything))
        return [tool for tool in tools if not self._keeps(tool.name)]

    def is_offered(self, name: str) -> bool:
        """Whether the tool ``name`` works as things stand."""
        return any(tool.name == name for tool in self.offered())

    def definitions(self, form: FormName = "plain") -> list[dict[str, Any]]:
        """The tools as an LLM API takes them; ask again on each turn, see ``offered``.

        Args:
            form: ``openai`` (Chat Completions, and all servers that speak it),
                ``openai-responses``, ``anthropic``, ``gemini``, or ``plain``:
                ``{name, description, parameters}``.

        Returns:
            A list for the API's ``tools``.

        Raises:
            InvalidArgument: no such form.
        """
        return form_named(form).definitions(self.offered())

    def calls(self, form: FormName, reply: Any) -> list[Call]:
        """The tool calls in a model's reply.

        Args:
            form: as for ``definitions``.
            reply: what the API answered, or its message: the SDK's object or a dictionary.

        Returns:
            Each with ``id``, ``name`` and ``arguments``, in the model's order; empty when the
            model asked for none.

        Raises:
            InvalidArgument: no such form.
        """
        return form_named(form).calls(reply)

    def results(self, form: FormName, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """The messages that tell a model what came of its calls, pictures included.

        Args:
            form: as for ``definitions``.
            answered: all calls of one reply with their answers; APIs want them together.

        Returns:
            Messages to append to the conversation. They hold no state line.

        Raises:
            InvalidArgument: no such form.
        """
        return form_named(form).results(answered)

    def state_message(self) -> str:
        """One line for the model's next turn, never to be stored: ``Browser.state_message``, or
        ``[Browser: not open]``. Never waits."""
        browser = self.browser
        return NOT_OPEN if browser is None else browser.state_message()

    def with_state(self, messages: Sequence[Any], form: FormName = "plain") -> list[Any]:
        """What to send on this turn: the messages, and the state line after them.

        Args:
            messages: the conversation as the API takes it; it is not touched. Go on appending to
                it, not to what this gives.
            form: as for ``definitions``.

        Returns:
            A new list, the state line last; stale ones are left out of it.

        Raises:
            InvalidArgument: no such form.
        """
        return with_state(messages, self.state_message(), form)

    def __repr__(self) -> str:
        words = "closed" if self._is_closed else self.state_message()
        return f"<{type(self).__module__}.{type(self).__qualname__} {words}>"

    # -- for adapters -----------------------------------------------------------------------------

    async def call_async(
        self,
        name: str,
        arguments: Arguments = None,
        *,
        timeout_ms: Timeout = None,
        turns: Turns | None = None,
    ) -> Answer:
        """``call`` for adapters: of the async twin, whichever they were given.

        Args:
            name: the tool's.
            arguments: an object, or its JSON text.
            timeout_ms: for the whole call, whatever the model asks for; else as it asks.
            turns: it waits for the calls before it that have the same.

        Raises:
            NotOpen: these tools were closed.
            InvalidArgument: ``timeout_ms`` is no such number.
        """
        self._check_open()
        return await self._engine.run_async(self._call(name, arguments, timeout_ms, turns))

    def call_sync(
        self,
        name: str,
        arguments: Arguments = None,
        *,
        timeout_ms: Timeout = None,
        turns: Turns | None = None,
    ) -> Answer:
        """``call_async`` for callers without an event loop."""
        self._check_open()
        return self._engine.run_sync(self._call(name, arguments, timeout_ms, turns))

    # -- on the engine's loop --------------------------------------------------------------------

    async def _call(
        self, name: str, arguments: Arguments, timeout_ms: Timeout, turns: Turns | None = None
    ) -> Answer:
        config = self._config_now()
        asked = None if timeout_ms is None else Budget.of(timeout_ms, config.default_timeout_ms)
        try:
            given = arguments_of(arguments)
            if self._keeps(name):
                raise Denied(f"{name}: the program opens and closes this browser itself.")
            budget = asked or self._toolset.budget_for(config, name, given)
            async with turns.turn(budget) if turns is not None else nullcontext():
                answer = await self._toolset.call(self._session, config, name, given, budget=budget)
        except TabwardenError as error:
            answer = refused(self._session, error)
        # The state line is for the next turn alone: what is answered may be stored.
        return msgspec.structs.replace(answer, text=answer.words)

    async def _answer_all(self, form: FormName, reply: Any) -> list[dict[str, Any]]:
        known = form_named(form)
        answered = [
            (call, await self._call(call.name, call.arguments, None)) for call in known.calls(reply)
        ]
        return known.results(answered)

    async def _close(self) -> None:
        self._is_closed = True
        if not isinstance(self._session, LentSession):
            await self._session.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise NotOpen("These tools were closed.", "Make others: Tools().")

    def _keeps(self, name: str) -> bool:
        """Whether a tool is the program's own matter: it opened the browser."""
        action = ACTIONS.get(name)
        lent = isinstance(self._session, LentSession)
        return lent and action is not None and action.of == "session"

    def _config_now(self) -> BrowserConfig:
        now = self._config()
        if now is not self._obeyed:
            self._obeyed = now
            self._session.configure(now)
        return now


def _live(source: BrowserConfig | LiveConfig | None) -> LiveConfig:
    if isinstance(source, LiveConfig):
        return source
    if source is None:
        return LiveConfig(load_config, config_file())
    if isinstance(source, BrowserConfig):
        return LiveConfig.fixed(source)
    raise InvalidArgument(
        f"Tools are made of a Browser or a BrowserConfig, not of {type(source).__name__}.",
        "Give one of these, or nothing: the configuration is read then.",
        field="source",
    )
