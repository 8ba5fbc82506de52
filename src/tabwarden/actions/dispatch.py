"""Run an action by name. Every interface uses this module."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import msgspec

from tabwarden.actions.other_names import meant_tool
from tabwarden.actions.permissions import check_permission, permissions_of
from tabwarden.actions.registry import ACTIONS, Action, Checked, is_available
from tabwarden.actions.result_text import (
    as_data,
    error_words,
    failure_of,
    result_words,
    snapshot_words,
)
from tabwarden.actions.sessions import Session
from tabwarden.actions.value_text import frame_words
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import Disabled, InvalidArgument, TabwardenError
from tabwarden.hints import Hint, Next, joined, render
from tabwarden.page import Screenshot, Snapshot
from tabwarden.page.task import keeping_turns
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.supervisor.core.state.tabs import Tab


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The response that an interface shows."""

    text: str
    """The complete text. It ends with the state line if that line has changed since the last
    response."""
    data: dict[str, Any]
    picture: Screenshot | None = None
    is_error: bool = False
    state: str = ""
    """The state line (``Browser.state_message``); "" if no browser is open."""

    @property
    def words(self) -> str:
        """``text`` without the state line, because a state line would go out of date in a stored
        conversation."""
        return self.text.removesuffix(self.state).removesuffix("\n") if self.state else self.text


class PreparedCall(NamedTuple):
    """A tool call with checked arguments."""

    budget: Budget
    """The time limit for ``run``. An interface can cancel the call through the budget."""
    run: Callable[[Session], Awaitable[Answer]]
    """Runs the call on a session, and opens the session's browser if needed. Returns errors as
    responses, and raises an exception only if the caller cancels the call."""


def prepare(
    config: BrowserConfig,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    budget: Budget | None = None,
    shows: bool = False,
) -> PreparedCall:
    """Check a call of an action. Never raises an exception; ``run`` returns errors as responses.

    Args:
        config: permissions and default budgets.
        tool: the name of the action's tool.
        arguments: unchecked arguments from outside.
        budget: the call's budget. By default, it is made from the ``timeout_ms`` argument or from
            the action's default timeout.
        shows: whether the response includes the action's changes to the page, if the arguments
            don't say so.
    """
    action = ACTIONS.get(tool)
    default_ms = config.default_timeout_ms if action is None else config.timeout_of(action.name)
    try:
        if action is None:
            raise _no_tool(tool)
        checked = checked_call(action, config, arguments)
    except TabwardenError as error:
        return refusing(budget or Budget(default_ms), partial(_refused_under, config, error=error))
    budget = budget or Budget.of(checked.arguments.get("timeout_ms"), default_ms)
    show = shows and _shows_change(action, checked.arguments)
    return PreparedCall(budget, partial(_run, config, action, checked, budget, show=show))


def refusing(budget: Budget, refuse: Callable[[Session], Answer]) -> PreparedCall:
    """Return a call that only returns the error from ``refuse(session)`` as its response."""

    async def run(session: Session) -> Answer:
        return refuse(session)

    return PreparedCall(budget, run)


async def dispatch(
    session: Session,
    config: BrowserConfig,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    budget: Budget | None = None,
) -> Answer:
    return await prepare(config, tool, arguments, budget=budget).run(session)


def refused(session: Session, error: TabwardenError) -> Answer:
    """Return an error as a response."""
    call = partial(_name_call, session)
    data = {"error": {**error.to_dict(), "hint": render(error.hint, call)}}
    return _with_state(session, Answer(text=error_words(error, call), data=data, is_error=True))


def _refused_under(config: BrowserConfig, session: Session, error: TabwardenError) -> Answer:
    session.obey(config)
    return refused(session, error)


def _name_call(session: Session, step: Next) -> str:
    """Return a call's text for a hint, and add its tool to the listed tools. Return "" if the call
    is not possible now."""
    action = ACTIONS[f"browser_{step.action}"]
    if session.is_lent and action.of == "session":
        return ""
    config = session.obeyed or BrowserConfig()
    named = session.name_call(step) if is_available(action, config, session) else ""
    if named:
        session.list_tools((action.tool,))
    return named


async def _run(
    config: BrowserConfig,
    action: Action,
    checked: Checked,
    budget: Budget,
    session: Session,
    *,
    show: bool,
) -> Answer:
    session.obey(config)
    arguments = checked.arguments
    try:
        with keeping_turns() if show else nullcontext():
            done = await perform(session, action, arguments, budget)
            result = done.result
            if show and result.tab_id and not result.interrupted and (browser := session.current):
                arguments = {**arguments, "snapshot": "diff"}
                result = await browser.inside.show(result, "diff", budget)
    except TabwardenError as error:
        return refused(session, error)
    notes = [note for note in (done.note, *checked.coerced) if note]
    return _answer(session, action, result, notes, arguments)


def _shows_change(action: Action, arguments: Mapping[str, Any]) -> bool:
    """Whether a call changes a page, but its arguments don't say how to report the change."""
    if action.name == "tabs":
        return arguments.get("mode") in ("open", "switch")
    if action.name == "open":
        return arguments.get("url") is not None
    return "snapshot" in action.parameters.model_fields and "snapshot" not in arguments


def _no_tool(tool: str) -> InvalidArgument:
    hint = "Use one of the tools in your list."
    plain = [name.removeprefix("browser_") for name in ACTIONS]
    if meant := meant_tool(tool, ACTIONS):
        hint = Hint("Use its equivalent", (": ", meant), ".")
    elif near := get_close_matches(tool.removeprefix("browser_"), plain, n=1, cutoff=0.8):
        hint = Hint("Did you mean", (" ", Next(near[0])), "?")
    return InvalidArgument(f"There is no tool {tool[:100]!r}.", hint, field="tool")


def _answer(
    session: Session, action: Action, result: Any, notes: list[str], arguments: Mapping[str, Any]
) -> Answer:
    call = partial(_name_call, session)
    if isinstance(result, Screenshot):
        size = f"{result.width} x {result.height} pixels"
        text = f"screenshot: ok, {size}, {len(result.data)} bytes of {result.media_type}."
        data: dict[str, Any] = {
            "status": "ok",
            "media_type": result.media_type,
            "width": result.width,
            "height": result.height,
            "scale": result.scale,
            "id": result.id,
        }
        parts = [joined(text, render(result.note, call)), result.labels]
        text = "\n".join([*filter(None, parts), *notes])
        return _with_state(session, Answer(text=text, data=data, picture=result))
    state_tab = _tab_of_state_line(session)
    if isinstance(result, Snapshot):
        words = snapshot_words(
            result, call, state_tab=state_tab, lists_frames=not arguments.get("diff")
        )
    else:
        words = result_words(result, call, state_tab=state_tab, arguments=arguments)
    text = "\n".join([words, *notes])
    data = as_data(result, call)
    error = failure_of(data)
    if error is not None:
        data["error"] = error
    return _with_state(session, Answer(text=text, data=data, is_error=error is not None))


def _tab_of_state_line(session: Session) -> Tab | None:
    """Return the tab that the state line describes."""
    state = _state_of(session.current)
    if state is None or state.health.status != "live":
        return None
    return next((tab for tab in state.tabs if tab.tab_id == state.active_tab_id), None)


def _with_state(session: Session, answer: Answer) -> Answer:
    browser = session.current
    if browser is None:
        return answer
    state, last_state = browser.state_message(), session.told_state
    session.told_state = state
    text = answer.text if state == last_state else f"{answer.text}\n{state}"
    return msgspec.structs.replace(answer, text=text, state=state)


# -- performing ------------------------------------------------------------------------------

Aim = Callable[[SupervisorSnapshot, dict[str, Any]], dict[str, Any]]
"""A function that replaces those arguments that depend on the browser's state."""


class Performed(NamedTuple):
    result: Any
    note: str
    """An additional note, for example that the browser is new."""
    arguments: Mapping[str, Any]
    before: SupervisorSnapshot | None
    """The browser's state before the action; None if no browser was open."""
    state: SupervisorSnapshot | None
    """The browser's state after the action; None if there is no browser now."""

    @property
    def asked_tab(self) -> str | None:
        """The call's ``tab_id``, or the tab that was active before the call if ``tab_id`` is
        None."""
        active = self.before.active_tab_id if self.before is not None else None
        return self.arguments.get("tab_id") or active


def check_allowed(
    action: Action, config: BrowserConfig, arguments: Mapping[str, Any] | None = None
) -> None:
    """Raise an error if the configuration does not allow a call.

    Args:
        action: the action to run.
        config: the configuration for this call, with the caller's permissions.
        arguments: the checked arguments, if known. Some arguments need further permissions.

    Raises:
        Disabled: the configuration disables the action.
        Denied: the caller lacks a permission.
    """
    for permission in sorted(permissions_of(action, arguments or {})):
        check_permission(permission, config)
    if not is_available(action, config):
        switch = "enabled" if not config.enabled else action.switch
        raise Disabled(
            f"The configuration disables the action {action.name!r}.",
            f"The operator can enable it with the key browser.{switch}.",
        )


def checked_call(action: Action, config: BrowserConfig, arguments: Mapping[str, Any]) -> Checked:
    """Check a call's arguments and the caller's permissions.

    Raises:
        InvalidArgument: an argument is not valid.
        Disabled, Denied: see ``check_allowed``.
    """
    check_allowed(action, config)
    checked = action.check(arguments)
    for permission in sorted(permissions_of(action, checked.arguments) - {action.permission}):
        check_permission(permission, config)
    return checked


async def perform(
    session: Session,
    action: Action,
    arguments: Mapping[str, Any],
    budget: Budget,
    *,
    aim: Aim | None = None,
    opens: bool | None = None,
) -> Performed:
    """Run an action on the session or on its browser.

    Args:
        session: the session. If it has no browser, the call may open one.
        action: an action with ``arguments`` that ``checked_call`` accepted.
        aim: replaces the arguments that depend on the browser's state.
        opens: whether this call may open a browser. By default, ``action.opens`` decides, and an
            action that only reads may attach to the configured endpoint.

    Raises:
        TabwardenError: the action failed.
    """
    arguments = {**arguments, "timeout_ms": budget}
    if action.of == "session":
        before = _state_of(session.current)
        result = await action.run(session, **arguments)
        return Performed(result, "", arguments, before, _state_of(session.current))
    if opens is None:
        first = arguments["steps"][0].action if action.name == "batch" else action
        opens = first.opens or _may_attach(session, first)
    browser, opened = await session.browser(may_open=opens, budget=budget)
    before = browser.state
    arguments = arguments if aim is None else aim(before, arguments)
    arguments = _with_full_ids(before, arguments)
    result = await action.run(browser, **arguments)
    return Performed(result, opened, arguments, before, browser.state)


def _with_full_ids(state: SupervisorSnapshot, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with full instead of shortened frame ids, also in the steps of a batch."""
    full = dict(arguments)
    if isinstance(frame_id := arguments.get("frame_id"), str):
        full["frame_id"] = _full_id(state, frame_id)
    if "steps" in arguments:
        full["steps"] = [
            step._replace(arguments=_with_full_ids(state, step.arguments))
            for step in arguments["steps"]
        ]
    return full


def _full_id(state: SupervisorSnapshot, frame_id: str) -> str:
    """Return the full ID of the frame whose ID starts with ``frame_id``.

    Return ``frame_id`` unchanged if it matches no frame or several frames, or if it is shorter than
    the IDs in responses."""
    trees = state.frame_trees.values()
    nodes = [node for tree in trees for node in (tree.top, *tree.children) if node is not None]
    matches = [
        node.frame_id
        for node in nodes
        if node.frame_id.startswith(frame_id) and frame_id.startswith(frame_words(node.frame_id))
    ]
    return matches[0] if len(matches) == 1 else frame_id


def _may_attach(session: Session, action: Action) -> bool:
    """Whether the action may attach to the configured endpoint. It may if it only reads."""
    config = session.obeyed
    return action.read_only and config is not None and config.endpoint is not None


def _state_of(browser: Browser | None) -> SupervisorSnapshot | None:
    return browser.state if browser is not None else None
