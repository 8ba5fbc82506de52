"""The requests that a tab sends while an input or a navigation runs, and the actions that the
browser refused meanwhile.

Chromium reports requests only while its ``Network`` domain is enabled. The domain slows down pages
with many scripts, so it is enabled only from the start of an input action until shortly after its
result, and during a navigation until the new document has come. If the next input comes soon, the
domain stays enabled, which saves commands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from tabwarden.protocol import Event, browser, decode_event, fetch, log, network
from tabwarden.supervisor.core.handlers import explains_refusal
from tabwarden.supervisor.runtime import CDPSupervisor
from tabwarden.telemetry.redaction import url_without_secrets

_AWAITED = ("Fetch", "XHR")
_NO_PAGE = (204, 205)
_WEB = ("http:", "https:")
_ABORTED = "net::ERR_ABORTED"
_MOST_REFUSALS = 3
_URL_MAX = 2_000
_DOWNLOAD = "download"
_LINGER_S = 0.25
"""How long to listen after an input's result."""
_ON = network.Enable(max_total_buffer_size=0, max_resource_buffer_size=0, max_post_data_size=0)


class _Request(msgspec.Struct, frozen=True):
    url: str
    method: str = ""


class _Response(msgspec.Struct, frozen=True):
    url: str
    status: int


class _Sent(Event, frozen=True, rename="camel"):
    METHOD = network.RequestWillBeSent.METHOD

    request_id: str
    request: _Request
    type: str = ""
    redirect_response: _Response | None = None


class _Ended(Event, frozen=True, rename="camel"):
    METHOD = network.LoadingFinished.METHOD

    request_id: str
    type: str = ""
    error_text: str = ""


class _Received(Event, frozen=True, rename="camel"):
    METHOD = network.ResponseReceived.METHOD

    type: str
    response: _Response


class _Paused(Event, frozen=True, rename="camel"):
    METHOD = fetch.RequestPaused.METHOD

    request: _Request
    frame_id: str
    resource_type: str
    network_id: str = ""


class BegunRequests:
    """The pending script and download requests that began while a tab's last input was running.

    Args:
        supervisor: the supervisor of the tab's browser.
        is_on: whether the ``Network`` domain is enabled for another purpose.
    """

    def __init__(self, supervisor: CDPSupervisor, is_on: Callable[[], bool]) -> None:
        self._supervisor = supervisor
        self._is_on = is_on
        self.sessions: tuple[str | None, ...] = ()
        """The sessions of the tab's documents to which this object listens."""
        self._under_way: dict[str, tuple[str, str]] = {}
        self._passed_over: set[str] = set()
        self._unlisten: list[Callable[[], None]] = []
        self._end: asyncio.TimerHandle | None = None
        self._none_left: asyncio.Future[None] | None = None
        self._switches = False
        self.were_awaited = False
        """Whether the input's result waited for the requests."""
        self.failed: dict[str, str] = {}
        """The errors of documents that could not be loaded, keyed by loader ID."""
        self.without_page: list[tuple[int, str]] = []
        """The status and URL of each response that does not replace the current document (204)."""
        self.for_programs: list[str] = []
        """The URLs for other programs to which a server redirected a document's request."""
        self.failed_before = 0
        """How many connections had failed when ``begin`` was called."""
        self.refused: list[str] = []
        """The browser's messages about actions that it refused."""

    @property
    def is_listening(self) -> bool:
        return bool(self._unlisten)

    @property
    def under_way(self) -> tuple[tuple[str, str], ...]:
        """The method and URL of each pending request."""
        return tuple(self._under_way.values())

    @property
    def awaits(self) -> bool:
        """Whether a request is pending that no wait has given up, and its end will be reported."""
        return bool(self._unlisten) and not self._under_way.keys() <= self._passed_over

    def begin(self, session_ids: Iterable[str | None]) -> None:
        """Forget the earlier requests, and listen to these sessions."""
        self.keep_on()
        self.were_awaited = False
        self._none_left = None
        for records in (self._under_way, self._passed_over, self.failed, self.without_page):
            records.clear()
        self.refused.clear()
        self.for_programs.clear()
        self.failed_before = self._supervisor.state.connections_failed
        sessions = tuple(dict.fromkeys(session_ids))
        if not self._unlisten or sessions != self.sessions:
            self.stop()
            self._listen(sessions)

    def keep_on(self) -> None:
        """Keep listening until ``end`` is called again."""
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def end(self) -> None:
        """Stop listening shortly, unless another input begins before."""
        self.keep_on()
        if self._unlisten:
            self._end = asyncio.get_running_loop().call_later(_LINGER_S, self.stop)

    def pass_over(self) -> None:
        """Don't wait again for the requests that are pending now."""
        self._passed_over |= self._under_way.keys()

    def _listen(self, sessions: tuple[str | None, ...]) -> None:
        self.sessions, self._switches = sessions, not self._is_on()
        for session_id in sessions:
            self._unlisten += [
                self._supervisor.listen(method, session_id, partial(heard, self))
                for method, heard in _HEARS
            ]
            if self._switches:
                self._supervisor.send(_ON, session_id)
        self._unlisten.append(
            self._supervisor.listen(
                browser.DownloadWillBegin.METHOD, None, lambda _: self._download_began()
            )
        )

    def stop(self) -> None:
        """Stop listening now."""
        self.keep_on()
        for unlisten in self._unlisten:
            unlisten()
        if self._unlisten and self._switches and not self._is_on():
            for session_id in self.sessions:
                self._supervisor.send(network.Disable(), session_id)
        self._unlisten = []

    def none_left(self) -> asyncio.Future[None]:
        """Return a future that is done as soon as no request is pending."""
        self.were_awaited = True
        self._none_left = asyncio.get_running_loop().create_future()
        self._resolve_if_none_left()
        return self._none_left

    def _sent(self, params: msgspec.Raw) -> None:
        one = decode_event(_Sent, params)
        if one.type in _AWAITED:
            url = url_without_secrets(one.request.url[:_URL_MAX])
            self._under_way[one.request_id] = (one.request.method[:40], url)
        is_redirect = one.type == "Document" and one.redirect_response is not None
        if is_redirect and not one.request.url.startswith(_WEB):
            self.for_programs.append(one.request.url[:_URL_MAX])

    def _ended(self, params: msgspec.Raw) -> None:
        one = decode_event(_Ended, params)
        if one.type == "Document" and one.error_text not in ("", _ABORTED):
            self.failed[one.request_id] = one.error_text
        self._forget(one.request_id)

    def _received(self, params: msgspec.Raw) -> None:
        one = decode_event(_Received, params)
        if one.type == "Document" and one.response.status in _NO_PAGE:
            url = url_without_secrets(one.response.url[:_URL_MAX])
            self.without_page.append((one.response.status, url))

    def _paused(self, params: msgspec.Raw) -> None:
        """Record a paused document request. A request without a Network ID may be a download."""
        one = decode_event(_Paused, params)
        frame = self._supervisor.state.frames.get(one.frame_id)
        navigates = one.network_id or (frame is not None and frame.navigating)
        if one.resource_type == "Document" and not navigates:
            url = url_without_secrets(one.request.url[:_URL_MAX])
            self._under_way[_DOWNLOAD] = (one.request.method[:40], url)

    def _download_began(self) -> None:
        self._forget(_DOWNLOAD)

    def _logged(self, params: msgspec.Raw) -> None:
        entry = decode_event(log.EntryAdded, params).entry
        if explains_refusal(entry) and len(self.refused) < _MOST_REFUSALS:
            self.refused.append(entry.text)

    def _forget(self, key: str) -> None:
        if self._under_way.pop(key, None) is not None:
            self._resolve_if_none_left()

    def _resolve_if_none_left(self) -> None:
        waits = self._none_left
        if not self._under_way and waits is not None and not waits.done():
            waits.set_result(None)


_HEARS: tuple[tuple[str, Callable[[BegunRequests, msgspec.Raw], None]], ...] = (
    (_Sent.METHOD, BegunRequests._sent),
    (_Ended.METHOD, BegunRequests._ended),
    (_Received.METHOD, BegunRequests._received),
    (_Paused.METHOD, BegunRequests._paused),
    (network.LoadingFailed.METHOD, BegunRequests._ended),
    (log.EntryAdded.METHOD, BegunRequests._logged),
)
