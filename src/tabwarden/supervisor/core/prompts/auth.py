"""HTTP authentication: a server requires a password before it sends a document.

If the configuration has credentials for the origin, Tabwarden sends them. Otherwise, or if the
server refused these credentials, the challenge waits for the agent, as a dialog does. If anyone but
the agent cancels a challenge, the agent gets a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tabwarden.hints import Hint, Next
from tabwarden.protocol import fetch, page
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import Notice, PromptInterrupts
from tabwarden.supervisor.core.state.prompts import Credentials, Prompt
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_TRIED_KEPT = 50
_REALM_MAX = 80


class AuthChallenge(Prompt, frozen=True, kw_only=True):
    """A server or a proxy requires a user name and a password before it sends a document."""

    frame_id: str
    is_document: bool
    """Whether the password is for the frame's next document, and not for a resource of the current
    document.
    """
    request_id: str
    url: str
    origin: str
    realm: str
    scheme: str
    is_proxy: bool
    refused: str
    """Whose credentials the server just refused: "configuration", "agent", or "" for none."""


_Challenge: TypeAlias = AuthChallenge | fetch.AuthChallenge


class AuthRequired(PromptInterrupts, frozen=True, kw_only=True):
    """A server requires credentials, and the agent must provide them."""

    challenge: AuthChallenge

    @property
    def prompt(self) -> AuthChallenge:
        return self.challenge


class AuthSettled(Notice, frozen=True, kw_only=True):
    """An HTTP authentication request has been settled, successfully or not."""

    auth_id: str


def required(turn: Turn, event: fetch.AuthRequired, session_id: str | None) -> None:
    state = turn.state
    if session_id in state.backstage_sessions:  # the action that opened this helper page handles it
        return
    session = state.session(session_id)
    if session is None:
        _continue(turn, event.request_id, session_id, None)
        return
    tried = state.auth_tried.get(event.request_id, "")
    _drop_frame(turn, event.frame_id)
    origin = event.auth_challenge.origin
    known = state.policy.credentials.get(origin)
    if known is not None and not tried:
        _tried(turn, event.request_id, "configuration")
        _continue(turn, event.request_id, session_id, known)
        return
    if state.policy.answers_dialogs:
        _continue(turn, event.request_id, session_id, None)
        why = f"dialog_policy is {state.policy.dialog_policy.value}"
        # Repeat an identical note only for documents, because a page may have a thousand images
        # that need a password.
        is_document = event.frame_id == state.top_frame_id(session.tab_id)
        is_document = is_document and event.resource_type == "Document"
        _note(turn, session.tab_id, event.auth_challenge, tried, why, again=is_document)
        return
    AUTH.open(
        turn,
        session,
        frame_id=event.frame_id,
        is_document=event.resource_type == "Document",
        request_id=event.request_id,
        url=event.request.url,
        origin=origin,
        realm=event.auth_challenge.realm,
        scheme=event.auth_challenge.scheme,
        is_proxy=event.auth_challenge.source == "Proxy",
        refused=tried,
        deadline=turn.now.monotonic + state.policy.dialog_timeout_s,
    )


def answer(turn: Turn, challenge: AuthChallenge, credentials: Credentials | None) -> None:
    """Answer a challenge. None cancels the challenge, and the page then shows the server's
    refusal.
    """
    if credentials is not None:
        _tried(turn, challenge.request_id, "agent")
    _continue(turn, challenge.request_id, challenge.session_id, credentials)
    AUTH.put(turn, replace(challenge, answered=True))
    if credentials is None:
        _drop_frame(turn, challenge.frame_id)


def watchdog(turn: Turn, _: inputs.Tick) -> None:
    """Cancel challenges that have been waiting longer than the policy allows."""
    for one in turn.state.prompts_of(AuthChallenge):
        if one.deadline is not None and one.deadline <= turn.now.monotonic and not one.answered:
            answer(turn, one, None)
            why = f"nobody answered it for {turn.state.policy.dialog_timeout_s:g} seconds"
            _note(turn, one.tab_id, one, one.refused, why, again=True)


def _note(
    turn: Turn, tab_id: str, challenge: _Challenge, tried: str, why: str, *, again: bool
) -> None:
    """Add a note about a challenge that was not canceled by the agent."""
    refused = f"; the server refused the {tried}'s credentials" if tried else ""
    realm = (
        challenge.realm
        if len(challenge.realm) <= _REALM_MAX
        else f"{challenge.realm[:_REALM_MAX]}…"
    )
    text = f'the password prompt from {challenge.origin} ("{realm}") was canceled: {why}{refused}'
    turn.note(tab_id, "password", challenge.origin, text, again=again)


def stopped_loading(turn: Turn, event: page.FrameStoppedLoading, session_id: str | None) -> None:
    """Drop the challenge of a frame that stopped loading."""
    _ = session_id
    _drop_frame(turn, event.frame_id)


def _drop_frame(turn: Turn, frame_id: str) -> None:
    AUTH.drop(turn, lambda challenge: challenge.frame_id == frame_id)


def _tried(turn: Turn, request_id: str, by: str) -> None:
    kept = dict(list(turn.state.auth_tried.items())[-_TRIED_KEPT:])
    turn.change(auth_tried={**kept, request_id: by})


def _continue(
    turn: Turn, request_id: str, session_id: str | None, credentials: Credentials | None
) -> None:
    response = fetch.AuthChallengeResponse(response="CancelAuth")
    if credentials is not None:
        response = fetch.AuthChallengeResponse(
            response="ProvideCredentials",
            username=credentials.username,
            password=credentials.password,
        )
    turn.send(
        fetch.ContinueWithAuth(request_id=request_id, auth_challenge_response=response), session_id
    )


def _asks(prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
    refused = (
        f"; the server refused the {prompt['refused']}'s credentials" if prompt["refused"] else ""
    )
    return f": {quote(prompt['origin'])} requests credentials for {quote(prompt['realm'])}{refused}"


_LOG_IN = Next("auth", username="...", password="...")
AUTH = PromptKind(
    prompt=AuthChallenge,
    letter="a",
    noun="Password prompt",
    step=_LOG_IN,
    hint=Hint(
        *("Log in", _LOG_IN, ", or cancel the prompt", Next("auth", cancel=True)),
        " to see the page that the server sends without a login.",
    ),
    asks=_asks,
    hides=frozenset({"request_id", "is_document"}),
    answer=answer,
    opened=lambda one: AuthRequired(tab_id=one.tab_id, challenge=one),
    closed=lambda one: AuthSettled(tab_id=one.tab_id, auth_id=one.id),
    events=((fetch.AuthRequired, required), (page.FrameStoppedLoading, stopped_loading)),
    inputs=((inputs.Tick, watchdog),),
)
