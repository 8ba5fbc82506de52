"""Passkeys: a page asks for a passkey, or offers to create one.

The page's call waits in our script. With the agent's consent, a virtual authenticator answers it,
with the task's passkeys. The authenticator exists only until the call ends, so that pages don't
think that this computer has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabwarden.hints import Next
from tabwarden.protocol import runtime, web_authn
from tabwarden.supervisor.core.prompts.in_page import PagePrompt, Report, follow, send_answer
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.passkeys import MOST_PASSKEYS, Passkey
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import replace

_CREATE = "create"


class _Choice(msgspec.Struct, frozen=True):
    id: str
    user: str
    """The user's name at the site."""


class PasskeyRequest(PagePrompt, frozen=True, kw_only=True):
    """A page asks for a passkey, or offers to create one. Its scripts continue to run."""

    site: str
    """The site for which the passkey is (the relying party)."""
    user: str
    """The user's name at the site, if the page creates a passkey."""
    is_new: bool
    """Whether the page creates a passkey."""
    passkeys: tuple[_Choice, ...]
    """The task's passkeys that the page accepts."""
    attachment: str
    authenticator_id: str = ""


class _Added(Ask, frozen=True):
    """The reply with the authenticator that answers a request."""

    command = web_authn.AddVirtualAuthenticator

    prompt_id: str
    passkey_id: str
    session_id: str | None


class _Ready(Ask, frozen=True):
    """The reply to the authenticator's last passkey."""

    prompt_id: str


def _reported(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    follow(turn, event, session_id, PASSKEY_REQUEST, _facts)
    if turn.state.policy.answers_dialogs:
        for request in turn.state.prompts_of(PasskeyRequest):
            if not request.answered:
                answer(turn, request, None)
                why = f"dialog_policy is {turn.state.policy.dialog_policy.value}"
                turn.note(request.tab_id, "declined", "", f"a passkey for {request.site}: {why}")


def _facts(state: SupervisorState, report: Report) -> Mapping[str, Any] | None:
    if report.type != "passkey":
        return None
    return {
        "site": report.site,
        "user": report.user,
        "is_new": report.new,
        "passkeys": _accepted(state, report.site, report.ids),
        "attachment": report.attachment,
    }


def _accepted(state: SupervisorState, site: str, ids: tuple[str, ...]) -> tuple[_Choice, ...]:
    return tuple(
        _Choice(one.id, one.user)
        for one in state.passkeys
        if one.site == site and (one.id in ids if ids else one.is_discoverable)
    )


def _end(turn: Turn, request: PasskeyRequest) -> None:
    if request.authenticator_id:
        _remove(turn, request.authenticator_id, _page_session(turn.state, request))


def _remove(turn: Turn, authenticator_id: str, session_id: str | None) -> None:
    command = web_authn.RemoveVirtualAuthenticator(authenticator_id=authenticator_id)
    turn.send(command, session_id)


def _page_session(state: SupervisorState, request: PasskeyRequest) -> str | None:
    """Return the session of the request's page, which also serves the frames of other sites."""
    tab = state.tabs.get(request.tab_id)
    return tab.session_id if tab is not None else None


def answer(turn: Turn, request: PasskeyRequest, passkey_id: str | None) -> None:
    """Create a passkey, or sign in with one; None declines the request."""
    PASSKEY_REQUEST.put(turn, replace(request, answered=True))
    if passkey_id is None:
        send_answer(turn, request, "")
        return
    is_roaming = request.attachment == "cross-platform"
    session_id = _page_session(turn.state, request)
    command = web_authn.AddVirtualAuthenticator(
        options=web_authn.VirtualAuthenticatorOptions(
            protocol="ctap2",
            transport="usb" if is_roaming else "internal",
            has_resident_key=True,
            has_user_verification=True,
            is_user_verified=True,
            automatic_presence_simulation=True,
            # Sites may refuse a passkey that is lost with its device.
            default_backup_eligibility=not is_roaming,
            default_backup_state=not is_roaming,
        )
    )
    turn.send(command, session_id, _Added(request.id, passkey_id, session_id))


def _added(turn: Turn, ask: _Added, result: web_authn.AddVirtualAuthenticatorResult | None) -> None:
    request = _request(turn.state, ask.prompt_id)
    if request is None:  # its document is gone
        if result is not None:
            _remove(turn, result.authenticator_id, ask.session_id)
        return
    if result is None:  # another client has an authenticator, which may answer the call
        send_answer(turn, request, ask.passkey_id)
        return
    request = replace(request, authenticator_id=result.authenticator_id)
    PASSKEY_REQUEST.put(turn, request)
    # The site may refuse to create a second passkey for this user.
    wanted = {one.id for one in request.passkeys if ask.passkey_id in (_CREATE, one.id)}
    passkeys = [one for one in turn.state.passkeys if one.id in wanted]
    for number, passkey in enumerate(passkeys, 1):
        command = web_authn.AddCredential(
            authenticator_id=result.authenticator_id, credential=passkey.credential
        )
        is_last = number == len(passkeys)
        turn.send(command, ask.session_id, _Ready(request.id) if is_last else None)
    if not passkeys:
        send_answer(turn, request, ask.passkey_id)


def _ready(turn: Turn, ask: _Ready, error: str | None) -> None:
    request = _request(turn.state, ask.prompt_id)
    if request is not None:
        send_answer(turn, request, "" if error is not None else "use")


def _request(state: SupervisorState, prompt_id: str) -> PasskeyRequest | None:
    return next((one for one in state.prompts_of(PasskeyRequest) if one.id == prompt_id), None)


def _stored(
    turn: Turn,
    event: web_authn.CredentialAdded | web_authn.CredentialAsserted,
    session_id: str | None,
) -> None:
    """Keep a new passkey, or a passkey's new count of uses."""
    tab_id = turn.state.tab_id_of_session(session_id)
    requests = turn.state.prompts_of(PasskeyRequest)
    if any(
        one.tab_id == tab_id and one.authenticator_id == event.authenticator_id for one in requests
    ):
        _keep(turn, [Passkey(event.credential)])


def _known(turn: Turn, input_: inputs.PasskeysKnown) -> None:
    _keep(turn, input_.passkeys)


def _keep(turn: Turn, passkeys: list[Passkey] | tuple[Passkey, ...]) -> None:
    new = {one.id for one in passkeys}
    others = [one for one in turn.state.passkeys if one.id not in new]
    turn.change(passkeys=(*others, *passkeys)[-MOST_PASSKEYS:])


def _asks(prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
    if prompt["is_new"]:
        about = f"create a passkey for {quote(prompt['user'])} at {quote(prompt['site'])}"
        return f": {about}? Choose {_CREATE}, or cancel"
    offered = ", ".join(f"{quote(one['id'])} ({quote(one['user'])})" for one in prompt["passkeys"])
    return f" for {quote(prompt['site'])}: {offered or 'this task has none for it, so cancel'}"


def _only_answer(prompt: Mapping[str, Any]) -> Mapping[str, Any]:
    offered = [_CREATE] if prompt["is_new"] else [one["id"] for one in prompt["passkeys"]]
    if not offered:
        return {"cancel": True}
    return {"choice": offered[0]} if len(offered) == 1 else {}


PASSKEY_REQUEST: PromptKind[PasskeyRequest] = PromptKind(
    prompt=PasskeyRequest,
    letter="pk",
    noun="Passkey request",
    step=Next("choose", choice="..."),
    asks=_asks,
    hides=frozenset({"number", "attachment", "authenticator_id"}),
    choices=lambda one: (
        {_CREATE: "Create a passkey"}
        if one.is_new
        else {passkey.id: passkey.user for passkey in one.passkeys}
    ),
    answer=answer,
    only_answer=_only_answer,
    ends=_end,
    events=(
        (runtime.BindingCalled, _reported),
        (web_authn.CredentialAdded, _stored),
        (web_authn.CredentialAsserted, _stored),
    ),
    inputs=((inputs.PasskeysKnown, _known),),
    replies=((_Added, _added), (_Ready, _ready)),
)
