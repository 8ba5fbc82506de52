"""Begun requests: what the page asks its servers while an input runs.

Chromium tells of requests only while its ``Network`` domain is on, which makes pages with many
scripts slower. So it is on only from the aim to the answer of an input.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from tabwarden.protocol import Event, decode_event, network
from tabwarden.supervisor import CDPSupervisor
from tabwarden.telemetry.redaction import url_without_secrets

_AWAITED = ("Fetch", "XHR")
_URL_MAX = 2_000
_ON = network.Enable(max_total_buffer_size=0, max_resource_buffer_size=0, max_post_data_size=0)


class _Request(msgspec.Struct, frozen=True):
    url: str
    method: str = ""


class _Sent(Event, frozen=True, rename="camel"):
    METHOD = network.RequestWillBeSent.METHOD

    request_id: str
    request: _Request
    type: str = ""


class _Ended(Event, frozen=True, rename="camel"):
    METHOD = network.LoadingFinished.METHOD

    request_id: str


class BegunRequests:
    """The requests by script that begin while an input runs, and that have not ended.

    Args:
        supervisor: the supervisor of the tab's browser.
        session_ids: the sessions of the tab's documents.
    """

    def __init__(self, supervisor: CDPSupervisor, session_ids: Iterable[str | None]) -> None:
        self._supervisor = supervisor
        self._sessions = tuple(dict.fromkeys(session_ids))
        self._under_way: dict[str, tuple[str, str]] = {}
        self._unlisten: list[Callable[[], None]] = []
        self._none_left: asyncio.Future[None] | None = None
        self._switches = False
        self.were_awaited = False
        """Whether the input's answer waited for them."""

    @property
    def under_way(self) -> tuple[tuple[str, str], ...]:
        """The method and URL of each."""
        return tuple(self._under_way.values())

    def begin(self, *, is_on: bool) -> None:
        """Listen. ``is_on``: the browser tells of requests already, for another purpose."""
        self._switches = not is_on
        for session_id in self._sessions:
            self._unlisten += [
                self._supervisor.listen(method, session_id, partial(heard, self))
                for method, heard in _HEARS
            ]
            if self._switches:
                self._supervisor.send(_ON, session_id)

    def end(self, *, is_on: bool) -> None:
        for unlisten in self._unlisten:
            unlisten()
        if self._unlisten and self._switches and not is_on:
            for session_id in self._sessions:
                self._supervisor.send(network.Disable(), session_id)
        self._unlisten = []

    def none_left(self) -> asyncio.Future[None]:
        """Return a future that is done as soon as none is under way."""
        self.were_awaited = True
        self._none_left = asyncio.get_running_loop().create_future()
        self._told()
        return self._none_left

    def _sent(self, params: msgspec.Raw) -> None:
        one = decode_event(_Sent, params)
        if one.type in _AWAITED:
            url = url_without_secrets(one.request.url[:_URL_MAX])
            self._under_way[one.request_id] = (one.request.method[:40], url)

    def _ended(self, params: msgspec.Raw) -> None:
        if self._under_way.pop(decode_event(_Ended, params).request_id, None) is not None:
            self._told()

    def _told(self) -> None:
        waits = self._none_left
        if not self._under_way and waits is not None and not waits.done():
            waits.set_result(None)


_HEARS: tuple[tuple[str, Callable[[BegunRequests, msgspec.Raw], None]], ...] = (
    (_Sent.METHOD, BegunRequests._sent),
    (_Ended.METHOD, BegunRequests._ended),
    (network.LoadingFailed.METHOD, BegunRequests._ended),
)
