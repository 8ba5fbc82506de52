"""Response: what a server answers when the browser opens a URL, its body handed to us.

An errand's page navigates there, as it would for a person: with the browser's own network, proxy
and user agent, and with all cookies of the context, ``SameSite=Strict`` ones included. The response
is held before anything is made of it (``Fetch``, response stage), so no document ever stands there
and no script of it runs; its body comes as a stream, from a browser on this machine or on another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import msgspec

from tabwarden.errors import EndpointUnreachable, NotSupported
from tabwarden.page.line import quoted
from tabwarden.page.outgoing import reason_of
from tabwarden.page.task import Task
from tabwarden.protocol import Event, decode_event, fetch, network, page
from tabwarden.supervisor import Race

__all__ = ["Response", "respond"]

_REDIRECTS = {301, 302, 303, 307, 308}
_STAGES: tuple[Any, ...] = ("Request", "Response")


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """A response that the browser holds."""

    request_id: str
    url: str
    """Where redirects led."""
    status: int
    status_text: str
    headers: Mapping[str, str]
    """By name in lower case."""


async def respond(
    task: Task, race: Race, session_id: str, url: str, headers: Mapping[str, str]
) -> Response:
    """Open a URL in an errand's page and hold what the server answers.

    Args:
        task: whose credentials answer a server that asks for a password.
        race: whose budget.
        session_id: the errand's.
        url: http or https.
        headers: sent beside the browser's own, or instead of them, after redirects too.

    Raises:
        Denied: the network policy refuses it, or where it redirects to.
        EndpointUnreachable: no response; ``data["error_text"]`` is the browser's reason.
    """
    arrived: asyncio.Queue[Event | None] = asyncio.Queue()
    failed_before = task.state.connections_failed
    with ExitStack() as listening:
        for kind in (fetch.RequestPaused, fetch.AuthRequired):
            listening.callback(_listen(race, session_id, kind, arrived))
        # A service worker would answer in the server's place, and only hears "bypass" once the
        # domain is enabled.
        race.start(network.Enable(), session_id)
        race.start(network.SetBypassServiceWorker(bypass=True), session_id)
        patterns = [fetch.RequestPattern(url_pattern="*", request_stage=s) for s in _STAGES]
        race.start(fetch.Enable(patterns=patterns, handle_auth_requests=True), session_id)
        navigated = race.start(page.Navigate(url=url), session_id)
        navigated.waiter.add_done_callback(lambda _: arrived.put_nowait(None))
        tried: set[str] = set()
        while True:
            match await _next(race, arrived):
                case fetch.AuthRequired() as asked:
                    race.start(_credentials(task, asked, tried), session_id)
                case fetch.RequestPaused() as paused:
                    response = _of(paused)
                    if response is not None:
                        return response
                    race.start(_onwards(paused, headers), session_id)
                case _:
                    error = (await race.result(navigated)).error_text
                    raise _nothing(url, error and reason_of(task, url, error, failed_before))


def _listen(
    race: Race, session_id: str, kind: type[Event], arrived: asyncio.Queue[Event | None]
) -> Any:
    return race.supervisor.listen(
        kind.METHOD, session_id, lambda params: arrived.put_nowait(decode_event(kind, params))
    )


async def _next(race: Race, arrived: asyncio.Queue[Event | None]) -> Event | None:
    waiting = asyncio.ensure_future(arrived.get())
    try:
        await race.finished(waiting)
        return waiting.result()
    finally:
        waiting.cancel()


def _of(paused: fetch.RequestPaused) -> Response | None:
    """The response that was held; None for a request, a redirect or a failure."""
    status = paused.response_status_code
    headers = {h.name.lower(): h.value for h in paused.response_headers or ()}
    if status is None or (status in _REDIRECTS and "location" in headers):
        return None
    return Response(
        request_id=paused.request_id,
        url=paused.request.url,
        status=status,
        status_text=paused.response_status_text or "",
        headers=headers,
    )


def _onwards(
    paused: fetch.RequestPaused, headers: Mapping[str, str]
) -> fetch.ContinueRequest | fetch.ContinueResponse:
    """Let go of what is no response: a request with our headers, all else as it is."""
    if paused.response_status_code is not None or paused.response_error_reason is not None:
        return fetch.ContinueResponse(request_id=paused.request_id)
    own = {**paused.request.headers, **headers}
    entries = [fetch.HeaderEntry(name=name, value=str(value)) for name, value in own.items()]
    return fetch.ContinueRequest(request_id=paused.request_id, headers=entries)


def _credentials(task: Task, asked: fetch.AuthRequired, tried: set[str]) -> fetch.ContinueWithAuth:
    """The configuration's credentials, once; what the browser was given before it sends itself."""
    known = task.state.policy.credentials.get(asked.auth_challenge.origin)
    response = fetch.AuthChallengeResponse(response="CancelAuth")
    if known is not None and asked.request_id not in tried:
        tried.add(asked.request_id)
        response = fetch.AuthChallengeResponse(
            response="ProvideCredentials", username=known.username, password=known.password
        )
    return fetch.ContinueWithAuth(request_id=asked.request_id, auth_challenge_response=response)


def _nothing(url: str, error_text: str | None) -> EndpointUnreachable | NotSupported:
    if not error_text:
        return NotSupported(
            f"{quoted(url[:500])} was not loaded over the network: there is no response to keep.",
            "Open it (browser_navigate) and look at what it is.",
        )
    return EndpointUnreachable(
        f"{quoted(url[:500])} could not be loaded: {error_text}.",
        "Check the address; the server may be down.",
        url=url,
        error_text=error_text,
    )
