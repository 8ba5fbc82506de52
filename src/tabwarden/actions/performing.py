"""Performing: an action whose arguments were checked, on a session or on its browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tabwarden.actions.registry import Action, available
from tabwarden.actions.session import Session
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import Disabled
from tabwarden.supervisor import SupervisorSnapshot

__all__ = ["Aim", "Performed", "check_allowed", "perform"]

Aim = Callable[[SupervisorSnapshot, dict[str, Any]], dict[str, Any]]
"""Makes of an action's arguments those that depend on the browser's state."""


class Performed(NamedTuple):
    """How an action ended."""

    result: Any
    """What the action returned."""
    opened: str
    """A note when the browser is a fresh one."""
    arguments: Mapping[str, Any]
    """What it was called with."""
    before: SupervisorSnapshot | None
    """The browser's state before it; None: there was no browser."""
    state: SupervisorSnapshot | None
    """The browser's state after it; None: there is no browser any more."""


def check_allowed(action: Action, config: BrowserConfig) -> None:
    """Check that the configuration has an action switched on.

    Raises:
        Disabled: it has not.
    """
    if action not in available(config):
        switch = "enabled" if not config.enabled else action.switch
        raise Disabled(
            f"{action.tool} is switched off by the configuration.", f"The key is browser.{switch}."
        )


async def perform(
    session: Session,
    config: BrowserConfig,
    action: Action,
    arguments: Mapping[str, Any],
    budget: Budget,
    *,
    aim: Aim | None = None,
    opens: bool | None = None,
) -> Performed:
    """Run an action: on the session, or on its browser, which is opened if need be and may be.

    Args:
        session: whose.
        config: what is allowed.
        action: the registry's.
        arguments: its parameters, checked.
        budget: of the whole call.
        aim: makes the rest of them, of actions on a browser.
        opens: whether it may open a browser; as the action says when left out.

    Raises:
        Disabled: the action is switched off.
        TabwardenError: as the action says.
    """
    check_allowed(action, config)
    given = {**arguments, "timeout_ms": budget}
    if action.of == "session":
        before = _state_of(session.current)
        result = await action.run(session, **given)
        return Performed(result, "", given, before, _state_of(session.current))
    may_open = action.opens if opens is None else opens
    browser, opened = await session.browser(may_open=may_open, budget=budget)
    before = browser.state
    given = given if aim is None else aim(before, given)
    result = await action.run(browser, **given)
    return Performed(result, opened, given, before, browser.state)


def _state_of(browser: Browser | None) -> SupervisorSnapshot | None:
    return browser.state if browser is not None else None
