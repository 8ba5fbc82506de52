"""Check the endpoint, the user's own Chrome, the server's port, and the environment's proxy.

No check creates a session, which might cost money. No check connects to Chrome, which would prompt
the user.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpx2

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.endpoints import Endpoint, RemoteEndpoint, endpoint_of, open_endpoint
from tabwarden.endpoints.endpoint import UrlEndpoint
from tabwarden.endpoints.finding import find_offers
from tabwarden.endpoints.own_chrome import AutoEndpoint, DebugChromeEndpoint, how_to_allow
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError
from tabwarden.http_client import http_client
from tabwarden.kinds import kind_of
from tabwarden.surfaces.doctor.finding import Finding, Patient, ok, problem, skipped, warning

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_BROWSERS_OWN = "/devtools/"
"""The path prefix of a running browser's WebSocket. Connecting to it starts no new browser."""
_UNSET = "tabwarden config unset browser.endpoint"


async def check_endpoint(patient: Patient, budget: Budget) -> list[Finding]:
    """Attach to the browser, then detach. For a hosted browser, only check the provider's API."""
    configured = patient.config.browser.endpoint
    if configured is None:
        words = "browser.endpoint is not set, so Tabwarden launches browsers on this machine."
        return [skipped(words)]
    if kind_of(configured) is not Browser:
        return [await _opened(configured, patient, budget.child(headroom_ms=500))]
    try:
        endpoint = endpoint_of(configured)
    except TabwardenError as error:
        return [problem(f"{error.message} {error.hint}", _UNSET)]
    try:
        return [await _attached(endpoint, budget.child(headroom_ms=500))]
    except (EndpointUnreachable, InvalidArgument) as error:
        return [problem(f"{error.message} {error.hint}", _mend(error))]


async def _opened(configured: str, patient: Patient, budget: Budget) -> Finding:
    """Connect to another kind of browser and disconnect. This creates nothing on its server."""
    try:
        opening = kind_of(configured).connect(
            configured, config=patient.config.browser, timeout_ms=budget
        )
        async with opening as browser:
            note = browser.capabilities.note
    except TabwardenError as error:
        return problem(f"{error.message} {error.hint}", _mend(error))
    return ok(f"The server at {configured.partition('?')[0]} is responding. {note}".strip())


async def _attached(endpoint: Endpoint, budget: Budget) -> Finding:
    if isinstance(endpoint, RemoteEndpoint):
        await _somebody_at(endpoint.api_url(), budget)
        words = f"{endpoint.provider} is reachable, and a key is set. No session was created."
        return ok(words)
    if isinstance(endpoint, AutoEndpoint | DebugChromeEndpoint):
        words = (
            "The check did not connect, because Chrome might ask you for permission. See "
            "`own_chrome`."
        )
        return skipped(words)
    if not isinstance(endpoint, UrlEndpoint):
        return skipped("Another package provides this endpoint, so the check did not open it.")
    url = endpoint.url
    parts = urlsplit(url if "://" in url else f"http://{url}")
    address = f"{parts.scheme}://{parts.hostname or '127.0.0.1'}"
    may_create = parts.scheme in {"ws", "wss"} and _BROWSERS_OWN not in parts.path
    if may_create and parts.hostname not in _LOOPBACK:
        scheme = "https" if parts.scheme == "wss" else "http"
        await _somebody_at(f"{scheme}://{parts.netloc.rpartition('@')[2]}/", budget)
        words = (
            f"{address} is reachable. The check did not connect, because a session may cost money."
        )
        return ok(words)
    attached = await open_endpoint(url, budget)
    await attached.wire.aclose()
    words = f"{attached.product or 'A browser'} is responding at {address}."
    return ok(words, product=attached.product)


async def _somebody_at(url: str, budget: Budget) -> None:
    """Send a request without a key, to check whether the server responds."""
    parts = urlsplit(url)
    try:
        async with http_client(
            trust_env=parts.hostname not in _LOOPBACK, timeout=budget.remaining_s()
        ) as client:
            await client.get(f"{parts.scheme}://{parts.netloc}/")
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise EndpointUnreachable(
            f"No server is responding at {parts.scheme}://{parts.hostname} "
            f"({type(error).__name__}: {error}).",
            "Check the network, and HTTPS_PROXY if it is set.",
        ) from None


def _mend(error: TabwardenError) -> str:
    variable = error.data.get("variable") or error.data.get("field", "")
    if str(variable).isupper():
        return f"export {variable}=…"
    return _UNSET


async def check_own_chrome(_: Patient, budget: Budget) -> list[Finding]:
    """Look for browsers in the same places as ``tabwarden connect``."""
    offers = await find_offers(budget.child(headroom_ms=500))
    found = [offer for offer in offers if offer.stands]
    if not found:
        words = f"None of your browsers allows `tabwarden connect`. {how_to_allow()}"
        return [skipped(words)]
    listed = ", ".join(f"{offer.name} (port {offer.port})" for offer in found)
    data = {"browsers": [f"auto:{offer.name}" for offer in found]}
    if len(found) > 1:
        words = (
            f"{listed} have remote debugging enabled. To choose one, run `tabwarden connect "
            f"auto:{found[0].name}`."
        )
        return [ok(words, **data)]
    words = f"{listed} has remote debugging enabled. To connect to it, run `tabwarden connect`."
    return [ok(words, **data)]


SERVER_S = 3.0
"""How long a running server may take to respond."""

_FREE = "tabwarden config set server.port 0  # any free port"


async def check_server(patient: Patient, budget: Budget) -> list[Finding]:
    """Open the port briefly. If the port is in use, check whether a Tabwarden server uses it.

    The check sends no token, because a different program may be listening on the port.
    """
    server = patient.config.server
    place = f"{server.host}:{server.port}"
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            server.host, server.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        words = f"server.host {server.host!r} is neither an address nor a known host name."
        return [problem(words, "tabwarden config unset server.host")]
    family, _, _, _, address = found[0]
    fault = _bound(family, (str(address[0]), server.port))
    if fault == errno.EADDRINUSE:
        return [await _who(str(address[0]), server.port, budget)]
    if fault == errno.EADDRNOTAVAIL:
        words = f"server.host {server.host} is not an address of this machine."
        return [problem(words, "tabwarden config unset server.host")]
    if fault is not None:
        words = f"This user can't listen on {place}: {errno.errorcode.get(fault, fault)}."
        return [problem(words, "tabwarden config unset server.port")]
    if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
        words = f"{place} is free. Other machines can reach it, without encryption."
        return [warning(words, "tabwarden config unset server.host")]
    return [ok(f"{place} is free." if server.port else "The server uses any free port.")]


def _bound(family: int, address: tuple[str, int]) -> int | None:
    """Bind the port and release it at once. Return the ``errno``; None on success."""
    try:
        with socket.create_server(address, family=family):
            return None
    except OSError as error:
        return error.errno or errno.EINVAL


async def _who(address: str, port: int, budget: Budget) -> Finding:
    host = f"[{address}]" if ":" in address else address
    data: dict[str, Any] = {"host": address, "port": port}
    try:
        async with asyncio.timeout(min(SERVER_S, budget.remaining_s())):
            async with httpx2.AsyncClient(trust_env=False, timeout=SERVER_S) as client:
                answer = await client.get(f"http://{host}:{port}/")
        body = answer.json()
        ours = answer.status_code == httpx2.codes.UNAUTHORIZED and body["tabwarden"]["code"]
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError, TypeError, LookupError):
        ours = None
    if ours:
        return ok(f"tabwarden serve is running on {host}:{port}.", **data)
    words = (
        f"Another program is already listening on {host}:{port}, the address for tabwarden serve."
    )
    return problem(words, _FREE, **data)


_OWN_NAMES = ("localhost", "127.0.0.1")
_KINDS = {"http", "https", "all"}
_SCHEMES = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"}


def check_proxies(patient: Patient) -> list[Finding]:
    """Check ``http_proxy`` and similar variables. Findings never show the passwords in these
    variables.
    """
    proxies = {
        kind: url for kind, url in getproxies_environment().items() if kind in _KINDS and url
    }
    if not proxies:
        return [ok("The environment sets no proxy.")]
    found = [_malformed(kind) for kind, url in proxies.items() if _address(url) is None]
    if found:
        return found
    named = ", ".join(sorted({str(_address(url)) for url in proxies.values()}))
    caught = [host for host in _OWN_NAMES if not proxy_bypass(host)]
    if caught and proxies.keys() & {"http", "all"}:
        found.append(
            warning(
                f"Programs on this machine use the proxy {named} for {' and '.join(caught)}, so "
                "they can't connect to tabwarden serve or to a browser's port. Tabwarden itself "
                "bypasses the proxy.",
                'export NO_PROXY="localhost,127.0.0.1,::1${NO_PROXY:+,$NO_PROXY}"',
            )
        )
    host = _endpoint_host(patient.config.browser.endpoint)
    if host and not proxy_bypass(host):
        found.append(
            warning(
                f"Connections to the endpoint on {host} use the proxy {named}, which must "
                "allow WebSockets.",
                f'export NO_PROXY="{host}${{NO_PROXY:+,$NO_PROXY}}"',
            )
        )
    words = f"The proxy {named} does not affect connections to this machine."
    return found or [ok(words)]


def _malformed(kind: str) -> Finding:
    name = f"{kind.upper()}_PROXY"
    return problem(
        f"{name} is not a valid proxy address, so connections fail.", f"unset {name} {name.lower()}"
    )


def _address(url: str) -> str | None:
    """Return a proxy's host and port; None if the URL is invalid."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or not parts.hostname or " " in url:
        return None
    return f"{parts.hostname}:{port}" if port else parts.hostname


def _endpoint_host(endpoint: str | None) -> str | None:
    """Return the endpoint's host if the endpoint is a URL on another computer; otherwise None."""
    if endpoint is None or "://" not in endpoint:
        return None
    try:
        host = urlsplit(endpoint).hostname
    except ValueError:
        return None
    return None if host in {*_OWN_NAMES, "::1"} else host
