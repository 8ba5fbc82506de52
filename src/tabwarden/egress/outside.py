"""Resolve names and connect to servers. No other module in this package does this."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
import threading
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from aiohappyeyeballs import start_connection

from tabwarden.egress.addresses import Address, address_of
from tabwarden.egress.gate import is_loopback_name
from tabwarden.egress.origins import Place
from tabwarden.egress.over_tls import ProxyRefusal, connect_over_tls
from tabwarden.egress.upstream import Upstream

ATTEMPT_DELAY_S = 0.25
"""If an address has not accepted the connection after this many seconds, the proxy also tries the
host's next address (RFC 8305).
"""
CONNECT_S = 30.0
"""How long the proxy tries to connect to a server, in seconds. Browsers have about the same limit.
"""
_LOOKUPS = 32
"""The maximum number of concurrent DNS lookups."""
_SCHEMES = {443: "https", 80: "http"}


class Unreachable(Exception):
    """A connection to a place failed. The message is Chromium's name for the error."""

    def __init__(self, error: str, code: int | None = None) -> None:
        super().__init__(error)
        self.code = code
        """The code with which the user's own proxy answered; None if it did not answer."""


class Outside:
    """Resolves and connects with this computer's resolver and sockets, and with the user's own
    proxy if there is one.

    Args:
        proxy: the proxy to use instead of the system's proxy.
    """

    def __init__(self, proxy: Upstream | None = None) -> None:
        self._proxy = proxy
        self._room = asyncio.Semaphore(_LOOKUPS)

    async def addresses(self, place: Place) -> list[Address]:
        """Return the IP addresses of a place, in the order in which to try them.

        Raises:
            Unreachable: the name can't be resolved.
        """
        address = address_of(place.host)
        if address is not None:
            return [address]
        if place.host == "localhost" or place.host.endswith(".localhost"):
            # Like Chromium, never query a resolver for these names (RFC 6761).
            return [a for a in map(address_of, ("::1", "127.0.0.1")) if a is not None]
        async with self._room:
            return await _looked_up(place)

    async def upstream(self, place: Place) -> str | Upstream | None:
        """Return the user's own proxy for a place; None if no proxy is used for it. If no proxy was
        passed to the constructor, use the environment and the system's settings. Like Chromium, use
        no proxy for loopback.
        """
        if self._proxy is not None:
            return self._proxy if self._proxy.serves(place) else None
        if is_loopback_name(place.host):
            return None
        scheme = _SCHEMES.get(place.port, "http")
        proxies = urllib.request.getproxies()
        url = proxies.get(scheme) or proxies.get("all")
        # On some systems, this check blocks while it resolves the host.
        if not url or await asyncio.to_thread(urllib.request.proxy_bypass, place.host):
            return None
        return url if "://" in url else f"http://{url}"

    async def connect(self, place: Place, addresses: Sequence[Address]) -> socket.socket:
        """Connect to the first address that accepts the connection.

        Raises:
            Unreachable: no address accepts it.
        """
        infos = [_info(address, place.port) for address in addresses]
        try:
            async with asyncio.timeout(CONNECT_S):
                return await start_connection(infos, happy_eyeballs_delay=ATTEMPT_DELAY_S)
        except (OSError, TimeoutError) as error:
            raise Unreachable(net_error(error)) from None

    async def connect_by(
        self, upstream: str | Upstream, place: Place, address: Address | None = None
    ) -> socket.socket:
        """Connect through the user's own proxy, which resolves the host name itself.

        Args:
            address: the proxy's address; None if it is not known yet.

        Raises:
            Unreachable: the proxy failed.
        """
        if isinstance(upstream, str) and upstream.startswith("https://"):
            upstream = _upstream_at(upstream)
        if isinstance(upstream, Upstream) and upstream.scheme == "https":
            return await self._connect_over_tls(upstream, place, address)
        from python_socks import ProxyConnectionError, ProxyError, ProxyType
        from python_socks.async_.asyncio import Proxy

        try:
            if isinstance(upstream, str):
                proxy = Proxy.from_url(upstream)
            else:
                proxy = Proxy(
                    ProxyType.HTTP if upstream.scheme == "http" else ProxyType.SOCKS5,
                    str(address or upstream.place.host),
                    upstream.place.port,
                    upstream.username or None,
                    upstream.password or None,
                    rdns=True,
                )
            return await proxy.connect(place.host, place.port, timeout=CONNECT_S)
        except ProxyConnectionError:
            raise Unreachable("net::ERR_PROXY_CONNECTION_FAILED") from None
        except ProxyError as error:
            error_name = _proxy_error(error.error_code, str(error))
            raise Unreachable(error_name, error.error_code) from None
        except (OSError, ValueError):  # TimeoutError is an OSError
            raise Unreachable("net::ERR_PROXY_CONNECTION_FAILED") from None

    async def _connect_over_tls(
        self, upstream: Upstream, place: Place, address: Address | None
    ) -> socket.socket:
        try:
            async with asyncio.timeout(CONNECT_S):
                return await connect_over_tls(upstream, place, address)
        except ProxyRefusal as refusal:
            raise Unreachable(_proxy_error(refusal.code, ""), refusal.code) from None
        except ssl.SSLCertVerificationError:
            raise Unreachable("net::ERR_PROXY_CERTIFICATE_INVALID") from None
        except OSError:  # TimeoutError is an OSError
            raise Unreachable("net::ERR_PROXY_CONNECTION_FAILED") from None


def _upstream_at(url: str) -> Upstream:
    try:
        parts = urlsplit(url)
        place = Place(parts.hostname or "", parts.port or 443)
    except ValueError:
        raise Unreachable("net::ERR_PROXY_CONNECTION_FAILED") from None
    username, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Upstream(scheme=parts.scheme, place=place, username=username, password=password)


def _proxy_error(code: int | None, words: str) -> str:
    """Return Chromium's error name for a proxy that refused the login or the place."""
    is_login = code == 407 or "auth" in words.lower()
    return f"net::ERR_{'PROXY_AUTH_REQUESTED' if is_login else 'TUNNEL_CONNECTION_FAILED'}"


def is_this_machine(address: Address) -> bool:
    """Whether an address belongs to one of this machine's network interfaces. If so, the system
    also chooses it as the source address of packets to it. Nothing is sent.
    """
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))
            return str(probe.getsockname()[0]) == str(address)
    except OSError:
        return False


def net_error(error: BaseException) -> str:
    """Return Chromium's error name for a connection error."""
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
        async with asyncio.timeout(CONNECT_S):
            infos = await _in_thread(
                lambda: socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
            )
    except (OSError, UnicodeError):
        raise Unreachable("net::ERR_NAME_NOT_RESOLVED") from None
    addresses = dict.fromkeys(address_of(str(info[4][0])) for info in infos)
    known = [address for address in addresses if address is not None]
    if len(known) < len(addresses) or not known:  # an address with a zone is link-local
        raise Unreachable("net::ERR_NAME_NOT_RESOLVED")
    return known


async def _in_thread(look_up: Callable[[], list[Any]]) -> list[Any]:
    """Run a DNS lookup on a daemon thread, because a lookup may take a minute and must not delay
    the process's exit.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[Any]] = loop.create_future()

    def settle(infos: list[Any] | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(infos or [])

    def run() -> None:
        infos, failed = None, None
        try:
            infos = look_up()
        except Exception as error:  # noqa: BLE001 - passed to the waiting caller
            failed = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, infos, failed)

    threading.Thread(target=run, name="tabwarden-lookup", daemon=True).start()
    return await answer
