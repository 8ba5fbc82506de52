"""Open a URL in the browser, and intercept the server's response with its body.

A hidden target navigates to the URL as a person would: with the browser's own network, proxy and
user agent, and with all of the context's cookies, even ``SameSite=Strict`` ones. Tabwarden
intercepts the response before the browser uses it (``Fetch``, response stage), so the browser
creates no document and runs no script from the server. The body arrives as a stream, even if the
browser runs on another computer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from email.message import Message
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from tabwarden.errors import NotSupported, TabwardenError
from tabwarden.hints import Hint, Next
from tabwarden.page.call import load_failed, reason_of
from tabwarden.page.task import Call, Task
from tabwarden.page.text import quoted
from tabwarden.protocol import Event, decode_event, fetch, network, page
from tabwarden.supervisor.runtime import Race

_REDIRECTS = {301, 302, 303, 307, 308}
_STAGES: tuple[Any, ...] = ("Request", "Response")


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """An intercepted response that is paused in the browser."""

    request_id: str
    url: str
    """The final URL, after redirects."""
    status: int
    status_text: str
    headers: Mapping[str, str]
    """The headers, keyed by lowercase name."""

    @property
    def mime_type(self) -> str:
        """The MIME type without parameters; "" if the server sends none."""
        return self.headers.get("content-type", "").partition(";")[0].strip()

    @property
    def suggested_filename(self) -> str:
        """The file name from the server's headers, or otherwise from the URL."""
        header = Message()
        header["content-disposition"] = self.headers.get("content-disposition", "")
        try:
            named = header.get_filename("")
        except (LookupError, ValueError):  # the encoding is unknown
            named = ""
        return named or name_in_url(self.url)


def name_in_url(url: str) -> str:
    """Return the last part of a URL's path, or "download" if the path is empty."""
    path = "" if url.lower().startswith(("data:", "blob:")) else urlsplit(url).path
    return unquote(path.rpartition("/")[2], errors="replace") or "download"


async def respond(call: Call, session_id: str, url: str, headers: Mapping[str, str]) -> Response:
    """Open a URL in a hidden target, and intercept the server's response. If the server asks for a
    password, send the configured credentials.

    Args:
        call, session_id: the call, and the hidden target's session.
        url: an http or https URL.
        headers: headers that override the browser's own, even after redirects.

    Raises:
        Denied: the network policy forbids the URL or a redirect.
        PageUnreachable, BadCertificate: no response; ``data["error_text"]`` has the reason.
    """
    arrived: asyncio.Queue[Event | None] = asyncio.Queue()
    failed_before = call.state.connections_failed
    with ExitStack() as listening:
        for kind in (fetch.RequestPaused, fetch.AuthRequired):
            listening.callback(_listen(call.race, session_id, kind, arrived))
        # Service workers must not respond in place of the server. The browser honors the bypass
        # only after the Network domain is enabled.
        call.race.start(network.Enable(), session_id)
        call.race.start(network.SetBypassServiceWorker(bypass=True), session_id)
        patterns = [fetch.RequestPattern(url_pattern="*", request_stage=s) for s in _STAGES]
        call.race.start(fetch.Enable(patterns=patterns, handle_auth_requests=True), session_id)
        navigated = call.race.start(page.Navigate(url=url), session_id)
        navigated.waiter.add_done_callback(lambda _: arrived.put_nowait(None))
        tried: set[str] = set()
        while True:
            match await _next(call.race, arrived):
                case fetch.AuthRequired() as challenge:
                    call.race.start(_credentials(call.task, challenge, tried), session_id)
                case fetch.RequestPaused() as paused:
                    response = _of(paused)
                    if response is not None:
                        return response
                    call.race.start(_onwards(paused, headers), session_id)
                case _:
                    error = (await call.race.result(navigated)).error_text
                    raise _nothing(url, error and reason_of(call.task, url, error, failed_before))


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
    """Return the intercepted response, or None if the event is for a request, a redirect or a
    failure."""
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
    """Return the command that lets a request (with our headers), a redirect or a failure
    continue."""
    if paused.response_status_code is not None or paused.response_error_reason is not None:
        return fetch.ContinueResponse(request_id=paused.request_id)
    own = {**paused.request.headers, **headers}
    entries = [fetch.HeaderEntry(name=name, value=str(value)) for name, value in own.items()]
    return fetch.ContinueRequest(request_id=paused.request_id, headers=entries)


def _credentials(
    task: Task, challenge: fetch.AuthRequired, tried: set[str]
) -> fetch.ContinueWithAuth:
    """Return the configured credentials, but only once per request. The browser itself sends
    credentials that it already has."""
    known = task.state.policy.credentials.get(challenge.auth_challenge.origin)
    response = fetch.AuthChallengeResponse(response="CancelAuth")
    if known is not None and challenge.request_id not in tried:
        tried.add(challenge.request_id)
        response = fetch.AuthChallengeResponse(
            response="ProvideCredentials", username=known.username, password=known.password
        )
    return fetch.ContinueWithAuth(request_id=challenge.request_id, auth_challenge_response=response)


def _nothing(url: str, error_text: str | None) -> TabwardenError:
    if not error_text:
        return NotSupported(
            f"{quoted(url[:500])} did not come from the network, so there is no response to save.",
            Hint("Open the URL", Next("navigate", url="..."), " to see the page."),
        )
    return load_failed(url, error_text)
