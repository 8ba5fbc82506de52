"""Answer HTTP authentication requests, and set permissions, for the agent."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

from pydantic import Field

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.hints import joined
from tabwarden.page.call import instrumented, outcome_of, settle, until_codes_last
from tabwarden.page.task import ActionResult, ActionSpec, Call, Done, Task, card
from tabwarden.supervisor.core.handlers import permission_command
from tabwarden.supervisor.core.prompts import AuthChallenge, kind_of
from tabwarden.supervisor.core.state.inputs import AnswerPrompt, PermissionSet, SetPolicy
from tabwarden.supervisor.core.state.prompts import Credentials, PermissionRule, PermissionSetting
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race
from tabwarden.vault import Vault

AUTH = ActionSpec(name="auth")


def checked_origin(origin: str, auth_id: str | None) -> str:
    """Return an origin in the browser's notation. Raise ``InvalidArgument`` if ``origin`` is not an
    origin, or if the caller also gave ``auth_id``."""
    if auth_id is not None:
        raise InvalidArgument(
            "origin is for future requests, but auth_id is for a request that is waiting.",
            "Give origin or auth_id, not both.",
            field="origin",
        )
    normalized = web_origin(origin) if isinstance(origin, str) else None
    if normalized is None:
        raise InvalidArgument(
            f"{str(origin)[:100]!r} is not an origin.",
            "Give an http or https origin such as https://host:8443, without path and user name.",
            field="origin",
        )
    return normalized


def filled(vault: Vault, given: Credentials, origin: str) -> Credentials:
    """Fill in an origin's secrets. Raise ``Denied`` if a secret must not be sent there."""
    username = vault.fill(given.username, origin, "username")
    return Credentials(username, vault.fill(given.password, origin, "password"))


@instrumented("auth")
async def perform_auth(
    task: Task,
    budget: Budget,
    credentials: Credentials | None,
    *,
    auth_id: str | None = None,
) -> ActionResult:
    """Answer a server's password prompt, and wait for the next document. ``credentials`` is None to
    cancel the prompt. Raise ``InvalidArgument`` if no prompt is waiting, or if several are waiting
    and ``auth_id`` is None."""
    budget.check()
    await task.connected(budget)
    await task.control.given_back(budget)
    challenge = _which(task, auth_id)
    tab_id = challenge.tab_id
    with Race(task.supervisor, budget, tab_id) as race:
        if credentials is not None:
            both = credentials.username + credentials.password
            await until_codes_last(race, task.vault, both)
            credentials = filled(task.vault, credentials, challenge.origin)
        task.supervisor.feed(AnswerPrompt(challenge.id, credentials))
        task.seen.told(challenge.id)
        task.control.note_answer(challenge.id)
        try:
            await race.until(lambda s: all(c.id != challenge.id for c in s.prompts))
            note = await settle(Call(task, race, task.tab(tab_id), AUTH))
        except Interrupted as interrupted:
            note = _interruption_note(interrupted.by)
        again = next((c for c in task.state.prompts_of(AuthChallenge) if c.tab_id == tab_id), None)
        if again is not None and not again.answered:
            note = _interruption_note(again)
        # The answer has been sent, so the next call reports any error from here on.
        with contextlib.suppress(Interrupted, TabwardenError):
            await task.refresh(race, tab_id)
    value: dict[str, Any] = {"id": challenge.id, "origin": challenge.origin}
    return outcome_of(task, "auth", tab_id, Done(value, note))


def _interruption_note(by: Any) -> str:
    if isinstance(by, AuthChallenge):
        refused = " The server refused the credentials." if by.refused else ""
        return joined(
            f"{by.origin} asks for a password again ({by.id}).{refused}", kind_of(by).hint
        )
    return "A dialog opened."


def _which(task: Task, auth_id: str | None) -> AuthChallenge:
    waiting = [c for c in task.state.prompts_of(AuthChallenge) if not c.answered]
    named = [c for c in waiting if auth_id in (None, c.id)]
    if len(named) == 1:
        return named[0]
    if named:
        raise InvalidArgument(
            f"{len(named)} servers are waiting for a password: "
            + ", ".join(f"{c.id} ({c.origin})" for c in named)
            + ".",
            "Choose one with auth_id.",
            field="auth_id",
            auth_challenges=[kind_of(c).json(c) for c in named],
        )
    raise InvalidArgument(
        f"No server is waiting for a password{f' with auth_id {auth_id!r}' if auth_id else ''}.",
        "Take a snapshot and continue.",
        field="auth_id",
    )


@instrumented("auth")
async def perform_login(task: Task, budget: Budget, origin: str, policy: SetPolicy) -> ActionResult:
    """Set the credentials that Tabwarden will send to an origin. Return at once."""
    budget.check()
    await task.connected(budget)
    task.supervisor.feed(policy)
    return outcome_of(task, "auth", task.state.active_tab_id or "", Done({"origin": origin}))


@card(
    "permission",
    about="Grant pages a browser permission, or deny it.",
    permission="act",
    group="prompts",
    destructive=False,
    idempotent=True,
    open_world=False,
    gives=list[results.Permission],
    shows=False,
    turn=None,
)
@instrumented("permission")
async def permission(
    task: Task,
    budget: Budget,
    name: Annotated[
        str,
        Field(
            description="The permission, such as geolocation, notifications, camera or "
            "clipboard-read."
        ),
    ],
    setting: Annotated[PermissionSetting, Field(description="The new setting.")] = "granted",
    *,
    origin: Annotated[
        str | None, Field(description="Apply only to this origin (https://host).")
    ] = None,
) -> ActionResult:
    """Grant or deny a browser permission. ``value`` lists all permissions set so far.

    Args:
        name: a name that ``navigator.permissions.query`` accepts: geolocation, camera, ...
        setting: granted, denied or prompt.
        origin: set the permission only for this origin; by default for all origins.

    Raises:
        InvalidArgument: the browser does not know the permission, or rejects the origin.
    """
    budget.check()
    await task.connected(budget)
    rule = PermissionRule(name=name, setting=setting, origin=origin)
    with Race(task.supervisor, budget) as race:
        try:
            await race.call(permission_command(rule, task.state), None)
        except CommandRefused as refused:
            if origin is not None and not web_origin(origin):
                raise InvalidArgument(
                    f"{origin!r} is not an origin.",
                    "Give an http or https origin such as https://host:8443, without path and user "
                    "name.",
                    field="origin",
                ) from None
            raise InvalidArgument(
                f"The browser can't set {name!r}: {refused.error}.",
                "Use a name that navigator.permissions.query accepts, such as geolocation, "
                "notifications, camera, microphone or clipboard-read.",
                field="name",
            ) from None
    task.supervisor.feed(PermissionSet(rule))
    value = [
        {"name": r.name, "setting": r.setting, "origin": r.origin} for r in task.state.permissions
    ]
    return outcome_of(task, "permission", task.state.active_tab_id or "", Done(value))
