"""HTTP authentication: what a server asks before it shows a document, and who answers.

Credentials of the configuration answer by origin; when there are none, or they were refused, the
challenge waits for the agent, as a dialog does. What is cancelled without the agent is noted.
"""

from __future__ import annotations

from tabwarden.protocol import fetch
from tabwarden.supervisor import noted
from tabwarden.supervisor.notices import AuthRequired, AuthSettled
from tabwarden.supervisor.policy import DialogPolicy
from tabwarden.supervisor.prompts import AuthChallenge, Credentials
from tabwarden.supervisor.turn import Turn
from tabwarden.supervisor.values import replace

__all__ = ["answer", "drop_frame", "drop_session", "required", "watchdog"]

_TRIED_KEPT = 50
_REALM_MAX = 80


def required(turn: Turn, event: fetch.AuthRequired, session_id: str | None) -> None:
    """A server wants credentials."""
    state = turn.state
    if session_id in state.backstage_sessions:  # whoever asked for it answers
        return
    session = state.session(session_id)
    if session is None:
        _continue(turn, event.request_id, session_id, None)
        return
    tried = state.auth_tried.get(event.request_id, "")
    drop_frame(turn, event.frame_id)
    origin = event.auth_challenge.origin
    known = state.policy.credentials.get(origin)
    if known is not None and not tried:
        _tried(turn, event.request_id, "configuration")
        _continue(turn, event.request_id, session_id, known)
        return
    if state.policy.dialog_policy is not DialogPolicy.MUST_RESPOND:
        _continue(turn, event.request_id, session_id, None)
        why = f"dialog_policy is {state.policy.dialog_policy.value}"
        # A page may have a thousand pictures that ask; another document is news.
        is_document = event.frame_id == state.top_frame_id(session.tab_id)
        is_document = is_document and event.resource_type == "Document"
        realm = event.auth_challenge.realm
        _note(turn, session.tab_id, origin, realm, tried, why, again=is_document)
        return
    number = state.next_auth
    challenge = AuthChallenge(
        id=f"a-{number}",
        tab_id=session.tab_id,
        session_id=session.session_id,
        frame_id=event.frame_id,
        request_id=event.request_id,
        url=event.request.url,
        origin=origin,
        realm=event.auth_challenge.realm,
        scheme=event.auth_challenge.scheme,
        is_proxy=event.auth_challenge.source == "Proxy",
        refused=tried,
        opened_at=turn.now.wall,
        deadline=turn.now.monotonic + state.policy.dialog_timeout_s,
    )
    turn.change(next_auth=number + 1, auth_challenges=(*turn.state.auth_challenges, challenge))
    turn.notify(AuthRequired(tab_id=session.tab_id, challenge=challenge))


def answer(turn: Turn, auth_id: str, credentials: Credentials | None) -> None:
    """Answer a challenge; None cancels it, and the server's refusal is shown."""
    challenge = next((c for c in turn.state.auth_challenges if c.id == auth_id), None)
    if challenge is None or challenge.answered:
        return
    if credentials is not None:
        _tried(turn, challenge.request_id, "agent")
    _continue(turn, challenge.request_id, challenge.session_id, credentials)
    answered = replace(challenge, answered=True)
    turn.change(
        auth_challenges=tuple(
            answered if c.id == auth_id else c for c in turn.state.auth_challenges
        )
    )
    if credentials is None:
        drop_frame(turn, challenge.frame_id)


def watchdog(turn: Turn) -> None:
    """Cancel what has waited longer than the policy allows."""
    for challenge in turn.state.auth_challenges:
        if challenge.deadline <= turn.now.monotonic and not challenge.answered:
            answer(turn, challenge.id, None)
            why = f"nobody answered it for {turn.state.policy.dialog_timeout_s:g} seconds"
            _note(
                turn,
                challenge.tab_id,
                challenge.origin,
                challenge.realm,
                challenge.refused,
                why,
                again=True,
            )


def _note(
    turn: Turn, tab_id: str, origin: str, realm: str, tried: str, why: str, *, again: bool
) -> None:
    """Tell of a challenge that was cancelled, and not by the agent."""
    refused = f"; the {tried}'s credentials were refused" if tried else ""
    short = realm if len(realm) <= _REALM_MAX else f"{realm[:_REALM_MAX]}…"
    text = f'the password prompt of {origin} ("{short}") was cancelled: {why}{refused}'
    noted.add(turn, tab_id, "password", origin, text, again=again)


def drop_frame(turn: Turn, frame_id: str) -> None:
    """A frame's document has come, or nobody waits for it any more."""
    _drop(turn, [c for c in turn.state.auth_challenges if c.frame_id == frame_id])


def drop_session(turn: Turn, session_id: str) -> None:
    """A session is gone."""
    _drop(turn, [c for c in turn.state.auth_challenges if c.session_id == session_id])


def _drop(turn: Turn, over: list[AuthChallenge]) -> None:
    if not over:
        return
    turn.change(auth_challenges=tuple(c for c in turn.state.auth_challenges if c not in over))
    for challenge in over:
        turn.notify(AuthSettled(tab_id=challenge.tab_id, auth_id=challenge.id))


def _tried(turn: Turn, request_id: str, by: str) -> None:
    kept = dict(list(turn.state.auth_tried.items())[-_TRIED_KEPT:])
    turn.change(auth_tried={**kept, request_id: by})


def _continue(
    turn: Turn, request_id: str, session_id: str | None, given: Credentials | None
) -> None:
    response = fetch.AuthChallengeResponse(response="CancelAuth")
    if given is not None:
        response = fetch.AuthChallengeResponse(
            response="ProvideCredentials", username=given.username, password=given.password
        )
    turn.send(
        fetch.ContinueWithAuth(request_id=request_id, auth_challenge_response=response), session_id
    )
