"""Outside: names are resolved and connections made here, and nowhere else."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any

from aiohappyeyeballs import start_connection

from tabwarden.egress.addresses import Address, address_of
from tabwarden.egress.gate import is_loopback_name
from tabwarden.egress.origins import Place

__all__ = ["Outside", "Unreachable", "net_error"]

_CONNECT_S = 30.0
_ATTEMPT_DELAY_S = 0.25
"""RFC 8305's: when the next address is tried beside one that does not answer."""
_LOOKUPS = 32
"""Names that are looked up at a time."""
_SCHEMES = {443: "https", 80: "http"}


class Unreachable(Exception):
    """There is no connection to a place; the text is Chromium's name for why."""


class Outside:
    """This machine's resolver and sockets; through the user's own proxy where one is set."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(_LOOKUPS)

    async def addresses(self, place: Place) -> list[Address]:
        """What a place resolves to, in the order in which to try.

        Raises:
            Unreachable: to nothing.
        """
        address = address_of(place.host)
        if address is not None:
            return [address]
        if place.host == "localhost" or place.host.endswith(".localhost"):
            # Never asked of a resolver, as in Chromium (RFC 6761).
            return [a for a in map(address_of, ("::1", "127.0.0.1")) if a is not None]
        async with self._room:
            return await _looked_up(place)

    async def upstream(self, place: Place) -> str | None:
        """The user's own proxy for a place, from the environment or the system's settings, as
        Chromium would take it; None: none is set.

        Loopback is never asked of one.
        """
        if is_loopback_name(place.host):
            return None
        scheme = _SCHEMES.get(place.port, "http")
        proxies = urllib.request.getproxies()
        found = proxies.get(scheme) or proxies.get("all")
        # Some systems resolve the host for that, and wait.
        if not found or await asyncio.to_thread(urllib.request.proxy_bypass, place.host):
            return None
        return found if "://" in found else f"http://{found}"

    async def connect(self, place: Place, addresses: Sequence[Address]) -> socket.socket:
        """A connection to the first of these addresses that answers, and to no other.

        Raises:
            Unreachable: none answers.
        """
        infos = [_info(address, place.port) for address in addresses]
        try:
            async with asyncio.timeout(_CONNECT_S):
                return await start_connection(infos, happy_eyeballs_delay=_ATTEMPT_DELAY_S)
        except (OSError, TimeoutError) as error:
            raise Unreachable(net_error(error)) from None

    async def connect_by(self, upstream: str, place: Place) -> socket.socket:
        """A connection that another proxy makes; it resolves the name again, and may differ.

        Raises:
            Unreachable: there is none.
        """
        from python_socks import ProxyError
        from python_socks.async_.asyncio import Proxy

        try:
            proxy = Proxy.from_url(upstream)
            return await proxy.connect(place.host, place.port, timeout=_CONNECT_S)
        except (ProxyError, OSError, ValueError):  # TimeoutError is an OSError
            raise Unreachable("net::ERR_PROXY_CONNECTION_FAILED") from None


def net_error(error: BaseException) -> str:
    """What Chromium calls a failure to connect, had it tried itself."""
    if isinstance(error, TimeoutError):
        return "net::ERR_CONNECTION_TIMED_OUT"
    match getattr(error, "errno", None):
        case errno.ECONNREFUSED:
            return "net::ERR_CONNECTION_REFUSED"
        case errno.ECONNRESET:
            return "net::ERR_CONNECTION_RESET"
        case errno.EHOSTUNREACH | errno.ENETUNREACH | errno.EADDRNOTAVAIL:
            return "net::ERR_ADDRESS_UNREACHABLE"
    return "net::ERR_CONNECTION_FAILED"


def _info(address: Address, port: int) -> tuple[int, int, int, str, tuple[str, int]]:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (str(address), port)


async def _looked_up(place: Place) -> list[Address]:
    try:
        async with asyncio.timeout(_CONNECT_S):
            infos = await _in_thread(
                lambda: socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
            )
    except (OSError, UnicodeError):
        raise Unreachable("net::ERR_NAME_NOT_RESOLVED") from None
    found = dict.fromkeys(address_of(str(info[4][0])) for info in infos)
    known = [address for address in found if address is not None]
    if len(known) < len(found) or not known:  # one with a zone: link-local
        raise Unreachable("net::ERR_NAME_NOT_RESOLVED")
    return known


async def _in_thread(look_up: Callable[[], list[Any]]) -> list[Any]:
    """On a thread of its own, which nobody waits for at exit: a resolver may take a minute."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[Any]] = loop.create_future()

    def settle(found: list[Any] | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found or [])

    def run() -> None:
        found, failed = None, None
        try:
            found = look_up()
        except Exception as error:  # noqa: BLE001 - it is the waiter's
            failed = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, found, failed)

    threading.Thread(target=run, name="tabwarden-lookup", daemon=True).start()
    return await answer
