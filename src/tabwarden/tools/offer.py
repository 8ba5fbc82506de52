"""Provide a model with the tools for one browser, and run the model's calls."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any, TypeAlias

import msgspec

from tabwarden.actions import ACTIONS, Answer, Session, Tool, Toolset, Way, refused, session_of
from tabwarden.browser import Browser
from tabwarden.budget import Budget, Timeout
from tabwarden.config import BrowserConfig, config_file, load_config
from tabwarden.errors import BrowserGone, Denied, InvalidArgument, NotOpen, TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser as SyncBrowser
from tabwarden.tools.forms import Answered, Arguments, FormName, ToolCall, arguments_of, form_named
from tabwarden.toolsets import toolset_of


class BorrowedSession(Session):
    """A session for tools that use the application's own browser, which may be async or sync.

    The tools never open, close or disconnect a browser.
    """

    is_lent = True

    def __init__(self, browser: Browser | SyncBrowser) -> None:
        super().__init__(self._none_else)
        self._lender = browser
        if not isinstance(browser, Browser):  # a sync browser has the same kind of task
            browser = Browser(browser.inside.task, browser.config)
        self._browser = browser

    @property
    def current(self) -> Browser | None:
        return self._browser if self._lender.is_open else None

    def configure(self, config: BrowserConfig) -> None:
        """Do nothing, because the application configures its browser itself."""

    async def _refuse(self, *_: Any, **__: Any) -> Any:
        raise Denied(
            "Only the host program may open or close this browser.",
            "Continue with the browser that is already open.",
        )

    open = connect = disconnect = close = _refuse

    async def _none_else(self, way: Way, budget: Budget) -> Browser:
        """Raise an error, because the application's browser is closed or gone."""
        _ = way, budget
        if not self._lender.is_open:
            raise NotOpen(
                "The host program closed the browser.",
                "Tell the user that the browser is closed, and that only the host program can open "
                "a new one.",
            )
        reason = self._lender.state.health.reason
        raise BrowserGone(
            f"The browser is gone: {reason}.",
            "Tell the user that the host program must open a new browser.",
            reason=reason,
        )


class CallQueue:
    """Runs one call at a time, in the order of arrival.

    Frameworks run the calls of one reply concurrently, but a click must run before the typing that
    follows it. A queue may be used only on the event loop of its first call.
    """

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def turn(self, budget: Budget) -> AsyncIterator[None]:
        """Wait, within this call's budget, until the earlier calls have ended.

        The next call runs after this block.

        Raises:
            BudgetExceeded, Cancelled: the earlier calls took too long. Later calls still wait for
                these calls.
        """
        before = self._last
        mine = self._last = asyncio.get_running_loop().create_future()
        try:
            if before is not None and not before.done():
                async with budget.waiting_for("the calls before it"):
                    await asyncio.wait([before])
            yield
        finally:
            if before is None or before.done():
                mine.set_result(None)
            else:
                before.add_done_callback(lambda _: mine.set_result(None))


_LINE = re.compile(r"\[Browser: [^\[\]\n]*\]")


def is_state_line(text: Any) -> bool:
    """Whether ``text`` is exactly a state line (``Browser.state_message``)."""
    return isinstance(text, str) and _LINE.fullmatch(text.strip()) is not None


def without_state(messages: Sequence[Any]) -> list[Any]:
    """Return a new list without the messages that consist only of a state line.

    Args:
        messages: the messages in an LLM API's form. SDK objects are never removed, because they are
            not mappings.
    """
    return [message for message in messages if not _is_state(message)]


def with_state(messages: Sequence[Any], line: str, form: FormName = "plain") -> list[Any]:
    """Return the messages to send on this turn: the conversation plus the state line.

    Send the new list, but keep the original list, because the next turn has a new state line. The
    line is a user message, not a system message, because it contains a page's title.

    Args:
        messages: the conversation, in an LLM API's form. It does not change.
        line: ``Browser.state_message()`` or ``Tools.state_message()``.
        form: the API; see ``Tools.definitions``.

    Returns:
        A new list that ends with the state line. It contains no old state lines.

    Raises:
        InvalidArgument: ``form`` is unknown.
    """
    form_named(form)
    content = {"parts": [{"text": line}]} if form == "gemini" else {"content": line}
    return [*without_state(messages), {"role": "user", **content}]


def _is_state(message: Any) -> bool:
    if not isinstance(message, Mapping) or message.get("role") != "user":
        return False
    content = message.get("content", message.get("parts"))
    if isinstance(content, Sequence) and not isinstance(content, str) and len(content) == 1:
        content = content[0].get("text") if isinstance(content[0], Mapping) else None
    return is_state_line(content)


Source: TypeAlias = Browser | SyncBrowser | BrowserConfig | LiveConfig | None
"""An open browser for the tools, or the configuration for a browser that they open on demand."""

NOT_OPEN = "[Browser: not open]"


class Offer:
    """The common base class of ``Tools`` and its sync twin.

    The session runs on the engine's event loop, so calls can be made from any loop or thread.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        toolset: str | Toolset = "core",
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
                    "task_id applies only to a browser that Tools opens. This browser already has "
                    "a task_id.",
                    "Pass task_id to Browser.launch() or Browser.connect() instead.",
                    field="task_id",
                )
            self._config, self._session = lambda: source.config, BorrowedSession(source)
        else:
            live = _ObeyedConfig(_live(source), self._toolset)
            self._config = lambda: live.browser
            opens = self._toolset.auto_open if auto_open is None else auto_open
            self._session = session_of(live, auto_open=opens, task_id=task_id)
        self._session.name_call = self._toolset.call
        self._obeyed = self._config()
        self._running: set[Budget] = set()
        """The budgets of the calls that are running."""

    @property
    def instructions(self) -> str:
        """The instructions for all tools. Include these instructions in the system prompt."""
        return self._toolset.instructions

    @property
    def is_open(self) -> bool:
        """True until ``close`` is called, even if no browser is open."""
        return not self._is_closed

    @property
    def browser(self) -> Browser | None:
        """The open browser, if any. The application may use it directly."""
        return self._session.current

    def offered(self) -> list[Tool]:
        """Return the tools that currently work.

        The list omits tools that the configuration disables or that the browser does not support.
        Call this again on each turn.

        Returns:
            Tools with ``name``, ``description``, ``input_schema`` (JSON Schema) and ``read_only``.
        """
        tools = self._toolset.tools(self._config_now(), self._session)
        return [tool for tool in tools if not self._keeps(tool.name)]

    def known(self) -> list[Tool]:
        """Return all tools, even those that currently don't work.

        This is for frameworks that request the list once, and later check whether to show each tool
        (``is_offered``).
        """
        switches = {one.switch: True for one in ACTIONS.values() if one.switch is not None}
        switches |= {"enabled": True, "browser_use_enabled": True}
        everything = self._config_now().model_copy(update=switches)
        session = session_of(everything)
        session.list_tools(ACTIONS)
        tools = self._toolset.tools(everything, session)
        return [tool for tool in tools if not self._keeps(tool.name)]

    def is_offered(self, name: str) -> bool:
        """Whether the tool ``name`` currently works."""
        return any(tool.name == name for tool in self.offered())

    def definitions(self, form: FormName = "plain") -> list[dict[str, Any]]:
        """Return the tools that currently work (``offered``) in an LLM API's form.

        Call this again on each turn.

        Args:
            form: ``openai`` (Chat Completions, and all compatible servers), ``openai-responses``,
                ``anthropic``, ``gemini``, or ``plain``: ``{name, description, parameters}``.

        Returns:
            A list for the API's ``tools``.

        Raises:
            InvalidArgument: ``form`` is unknown.
        """
        return form_named(form).definitions(self.offered())

    def calls(self, form: FormName, reply: Any) -> list[ToolCall]:
        """Return the tool calls in a model's reply.

        Args:
            form: see ``definitions``.
            reply: the API's reply or the message in it, as the SDK's object or a dictionary.

        Returns:
            Calls with ``id``, ``name`` and ``arguments``, in the model's order. The list is empty
            if the model called no tool. It has no calls of a toolset that Anthropic defines
            (``toolset_name``).

        Raises:
            InvalidArgument: ``form`` is unknown.
        """
        return form_named(form).calls(reply)

    def results(self, form: FormName, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """Return messages with the results of a model's calls, including images.

        Args:
            form: see ``definitions``.
            answered: all calls of one reply, with their results. APIs need all results together.

        Returns:
            Messages to append to the conversation. They contain no state line.

        Raises:
            InvalidArgument: ``form`` is unknown.
        """
        return form_named(form).results(answered)

    def state_message(self) -> str:
        """Return the state line for the model's next turn. Never store this line.

        This is ``Browser.state_message``, or ``[Browser: not open]``. This method never waits.
        """
        browser = self.browser
        return NOT_OPEN if browser is None else browser.state_message()

    def with_state(self, messages: Sequence[Any], form: FormName = "plain") -> list[Any]:
        """Return the messages to send on this turn: the conversation plus the state line.

        Args:
            messages: the conversation in the API's form. It does not change. Keep appending to it,
                not to the returned list.
            form: see ``definitions``.

        Returns:
            A new list that ends with the state line. It contains no old state lines.

        Raises:
            InvalidArgument: ``form`` is unknown.
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
        turns: CallQueue | None = None,
    ) -> Answer:
        """Run a tool. This is for adapters, and it is async even on the sync ``Tools``.

        Args:
            name: the tool's name.
            arguments: an object, or its JSON text.
            timeout_ms: the limit for the whole call. Overrides the model's own ``timeout_ms``.
            turns: a queue. The call waits for the queue's earlier calls.

        Raises:
            NotOpen: these tools are closed.
            InvalidArgument: ``timeout_ms`` is not a valid number.
        """
        self._check_open()
        return await self._engine.run_async(self._call(name, arguments, timeout_ms, turns))

    def call_sync(
        self,
        name: str,
        arguments: Arguments = None,
        *,
        timeout_ms: Timeout = None,
        turns: CallQueue | None = None,
    ) -> Answer:
        """``call_async`` for callers without an event loop."""
        self._check_open()
        return self._engine.run_sync(self._call(name, arguments, timeout_ms, turns))

    async def close_async(self) -> None:
        """Close the browser if these tools opened it, and stop the running calls. For adapters."""
        await self._engine.run_async(self._close())

    def close_sync(self) -> None:
        """``close_async`` for callers without an event loop."""
        self._engine.run_sync(self._close())

    # -- on the engine's loop --------------------------------------------------------------------

    async def _call(
        self, name: str, arguments: Arguments, timeout_ms: Timeout, turns: CallQueue | None = None
    ) -> Answer:
        config = self._session.adjusted(self._config_now())
        budget = None if timeout_ms is None else Budget.of(timeout_ms, config.default_timeout_ms)
        try:
            checked_arguments = arguments_of(arguments)
            if self._keeps(name):
                raise Denied(f"{name}: only the program may open or close this browser.")
            call = self._toolset.prepare(config, name, checked_arguments, budget=budget)
            self._running.add(call.budget)
            try:
                async with turns.turn(call.budget) if turns is not None else nullcontext():
                    answer = await call.run(self._session)
            finally:
                self._running.discard(call.budget)
        except TabwardenError as error:
            answer = refused(self._session, error)
        # Remove the state line: a conversation may store the result, but must not store a state
        # line.
        return msgspec.structs.replace(answer, text=answer.words)

    async def _answer_all(
        self, form: FormName, reply: Any, others: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        known = form_named(form)
        answered = [
            (call, await self._call(call.name, call.arguments, None))
            for call in known.calls(reply)
            if call.name not in others and self._is_ours(call.name)
        ]
        return known.results(answered)

    async def _close(self) -> None:
        self._is_closed = True
        for budget in list(self._running):
            budget.cancel("these tools are being closed")
        if not self._session.is_lent:
            await self._session.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise NotOpen("These tools are closed.", "Create new ones: Tools().")

    def _is_ours(self, name: str) -> bool:
        """Whether a call is for one of these tools. An application may also have other tools."""
        return name.startswith("browser") or self.is_offered(name)

    def _keeps(self, name: str) -> bool:
        """Whether the model must not use a tool because the application owns the browser."""
        action = ACTIONS.get(name)
        return self._session.is_lent and action is not None and action.of == "session"

    def _config_now(self) -> BrowserConfig:
        now = self._config()
        if now is not self._obeyed:
            self._obeyed = now
            self._session.configure(now)
        return now


class _ObeyedConfig:
    """A configuration with the toolset's own defaults for values that the user did not set."""

    def __init__(self, live: LiveConfig, toolset: Toolset) -> None:
        self._live, self._toolset = live, toolset
        self._last = toolset.obeyed(live.browser)

    @property
    def browser(self) -> BrowserConfig:
        """The same object as long as nothing has changed."""
        now = self._toolset.obeyed(self._live.browser)
        if now is not self._last and now != self._last:
            self._last = now
        return self._last


def _live(source: BrowserConfig | LiveConfig | None) -> LiveConfig:
    if isinstance(source, LiveConfig):
        return source
    if source is None:
        return LiveConfig(load_config, config_file())
    if isinstance(source, BrowserConfig):
        return LiveConfig.fixed(source)
    raise InvalidArgument(
        f"Tools needs a Browser or a BrowserConfig, not {type(source).__name__}.",
        "Pass one of these, or nothing to use the configuration file and the environment.",
        field="source",
    )
