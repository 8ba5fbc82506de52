"""HTTP authentication, as the agent answers it; and permissions, as it sets them."""

from __future__ import annotations

import contextlib
from typing import Any, get_args

from tabwarden.budget import Budget
from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.page.act import AUTH_HINT, outcome_of
from tabwarden.page.counted import counted
from tabwarden.page.result import ActionResult, Done, auth_json
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.supervisor import (
    AnswerAuth,
    AuthChallenge,
    CommandRefused,
    Credentials,
    Interrupted,
    PermissionRule,
    PermissionSet,
    PermissionSetting,
    Race,
    SetPolicy,
    permission_command,
)

__all__ = ["checked_origin", "perform_auth", "perform_login", "perform_permission"]


def checked_origin(origin: str, auth_id: str | None) -> str:
    """An origin as the browser writes it.

    Raises:
        InvalidArgument: it is none; or a challenge that waits was named too.
    """
    if auth_id is not None:
        raise InvalidArgument(
            "origin is for what will ask, auth_id for what asks now.",
            "Give one of the two.",
            field="origin",
        )
    found = web_origin(origin) if isinstance(origin, str) else None
    if found is None:
        raise InvalidArgument(
            f"{str(origin)[:100]!r} is no origin.",
            "Such as https://host:8443: http or https, no path, no user.",
            field="origin",
        )
    return found


@counted("auth")
async def perform_auth(
    task: Task,
    budget: Budget,
    credentials: Credentials | None,
    *,
    auth_id: str | None = None,
) -> ActionResult:
    """Answer a server's question, None to cancel it, and wait for what it shows then.

    Raises:
        InvalidArgument: no server asks, or several do and none is named.
    """
    budget.check()
    await task.connected(budget)
    challenge = _which(task, auth_id)
    tab_id = challenge.tab_id
    with Race(task.supervisor, budget, tab_id) as race:
        task.supervisor.feed(AnswerAuth(challenge.id, credentials))
        task.seen.told(challenge.id)
        try:
            await race.until(lambda s: all(c.id != challenge.id for c in s.auth_challenges))
            note = await settle(task, race, task.tab(tab_id))
        except Interrupted as interrupted:
            note = _what_came(interrupted.by)
        again = next((c for c in task.state.auth_challenges if c.tab_id == tab_id), None)
        if again is not None and not again.answered:
            note = _what_came(again)
        # The answer was given; what goes wrong now, the next call will tell.
        with contextlib.suppress(Interrupted, TabwardenError):
            await task.refresh(race, tab_id)
    value: dict[str, Any] = {"id": challenge.id, "origin": challenge.origin}
    return outcome_of(task, "auth", tab_id, Done(value, note))


def _what_came(by: Any) -> str:
    if isinstance(by, AuthChallenge):
        refused = " The credentials were refused." if by.refused else ""
        return f"{by.origin} asks again ({by.id}).{refused} {AUTH_HINT}"
    return "A dialog opened."


def _which(task: Task, auth_id: str | None) -> AuthChallenge:
    waiting = [c for c in task.state.auth_challenges if not c.answered]
    named = [c for c in waiting if auth_id in (None, c.id)]
    if len(named) == 1:
        return named[0]
    if named:
        raise InvalidArgument(
            f"{len(named)} servers ask for a password: "
            + ", ".join(f"{c.id} ({c.origin})" for c in named)
            + ".",
            "Name one with auth_id.",
            field="auth_id",
            auth_challenges=[auth_json(c) for c in named],
        )
    raise InvalidArgument(
        f"No server asks for a password{f' as {auth_id!r}' if auth_id else ''}.",
        "Take a snapshot and go on.",
        field="auth_id",
    )


@counted("auth")
async def perform_login(task: Task, budget: Budget, origin: str, policy: SetPolicy) -> ActionResult:
    """Have what asks at an origin from now on answered as a policy says; nothing waits for it."""
    budget.check()
    await task.connected(budget)
    task.supervisor.feed(policy)
    return outcome_of(task, "auth", task.state.active_tab_id or "", Done({"origin": origin}))


@counted("permission")
async def perform_permission(
    task: Task, budget: Budget, name: str, setting: PermissionSetting, origin: str | None
) -> ActionResult:
    """Grant or deny what pages may ask for, everywhere or at one origin.

    Raises:
        InvalidArgument: the browser knows no such permission.
    """
    budget.check()
    await task.connected(budget)
    if setting not in get_args(PermissionSetting):
        raise InvalidArgument(
            f"setting must be one of {', '.join(get_args(PermissionSetting))}, not {setting!r}.",
            field="setting",
        )
    rule = PermissionRule(name=name, setting=setting, origin=origin)
    with Race(task.supervisor, budget) as race:
        try:
            await race.call(permission_command(rule, task.state), None)
        except CommandRefused as refused:
            raise InvalidArgument(
                f"The browser can't set {name!r}: {refused.error}.",
                "Names are those of navigator.permissions.query, such as geolocation, "
                "notifications, camera, microphone, clipboard-read.",
                field="name",
            ) from None
    task.supervisor.feed(PermissionSet(rule))
    value = [
        {"name": r.name, "setting": r.setting, "origin": r.origin} for r in task.state.permissions
    ]
    return outcome_of(task, "permission", task.state.active_tab_id or "", Done(value))
