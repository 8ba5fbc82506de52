"""Dispatch: an action's name and arguments in, words and values out. Every surface calls this."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.actions.performing import check_allowed, perform
from tabwarden.actions.registry import ACTIONS
from tabwarden.actions.session import Session
from tabwarden.actions.words import error_words, result_words, snapshot_words
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.page import Screenshot, Snapshot

__all__ = ["Answer", "budget_for", "dispatch", "refused"]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a surface shows."""

    text: str
    """All of it; where a browser is open, the state line ends it."""
    data: dict[str, Any]
    picture: Screenshot | None = None
    is_error: bool = False
    state: str = ""
    """The state line (``Browser.state_message``) that ``text`` ends with; "" without a browser."""

    @property
    def words(self) -> str:
        """``text`` without the state line: what may be stored in a conversation."""
        return self.text.removesuffix(self.state).removesuffix("\n") if self.state else self.text


def budget_for(config: BrowserConfig, tool: str, arguments: Mapping[str, Any]) -> Budget:
    """The one budget of a call: its ``timeout_ms``, else what its action gets by default.

    A surface makes it before ``dispatch`` and can cancel the call by it. It never fails: what is
    wrong with the arguments is ``dispatch``'s to tell.
    """
    action = ACTIONS.get(tool)
    if action is None:
        return Budget(config.default_timeout_ms)
    default_ms = config.timeout_of(action.name)
    try:
        return Budget.of(action.check(arguments).arguments.get("timeout_ms"), default_ms)
    except InvalidArgument:
        return Budget(default_ms)


async def dispatch(
    session: Session,
    config: BrowserConfig,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    budget: Budget | None = None,
) -> Answer:
    """Run one action. Errors are answers too; only cancellation of the caller is raised.

    Args:
        session: whose browser; opened if need be.
        config: what is allowed, and the default budgets.
        tool: the action, by its tool's name.
        arguments: as they came from outside.
        budget: ``budget_for`` these, if the surface has made it; it is for all that follows:
            waiting for a browser, opening it, the action.
    """
    budget = budget or budget_for(config, tool, arguments)
    try:
        return await _run(session, config, tool, arguments, budget)
    except TabwardenError as error:
        return refused(session, error)


def refused(session: Session, error: TabwardenError) -> Answer:
    """An error as an answer."""
    return _with_state(
        session,
        Answer(text=error_words(error), data={"error": error.to_dict()}, is_error=True),
    )


async def _run(
    session: Session,
    config: BrowserConfig,
    tool: str,
    arguments: Mapping[str, Any],
    budget: Budget,
) -> Answer:
    action = ACTIONS.get(tool)
    if action is None:
        near = difflib.get_close_matches(tool[:100], ACTIONS, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise InvalidArgument(
            f"There is no tool {tool!r}.", f"{meant}Tools: {', '.join(ACTIONS)}.", field="tool"
        )
    session.obey(config)
    check_allowed(action, config)
    checked = action.check(arguments)
    done = await perform(session, config, action, checked.arguments, budget)
    notes = [done.opened, *checked.coerced]
    return _answer(session, done.result, [note for note in notes if note])


def _answer(session: Session, result: Any, notes: list[str]) -> Answer:
    if isinstance(result, Screenshot):
        size = f"{result.width} x {result.height} pixels"
        text = f"screenshot: ok, {size}, {len(result.data)} bytes of {result.media_type}."
        text = f"{text} {result.note}"
        data: dict[str, Any] = {
            "status": "ok",
            "media_type": result.media_type,
            "width": result.width,
            "height": result.height,
            "scale": result.scale,
        }
        text = "\n".join([text.strip(), *notes])
        return _with_state(session, Answer(text=text, data=data, picture=result))
    words = snapshot_words(result) if isinstance(result, Snapshot) else result_words(result)
    text = "\n".join([words, *notes])
    return _with_state(session, Answer(text=text, data=msgspec.to_builtins(result)))


def _with_state(session: Session, answer: Answer) -> Answer:
    browser = session.current
    if browser is None:
        return answer
    state = browser.state_message()
    return msgspec.structs.replace(answer, text=f"{answer.text}\n{state}", state=state)
