"""Check that the configured endpoint answers. Never create a session: it may cost money."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import httpx2

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.endpoints import Endpoint, RemoteEndpoint, endpoint_of, open_endpoint
from tabwarden.endpoints.endpoint import UrlEndpoint
from tabwarden.endpoints.own_chrome import AutoEndpoint, DebugChromeEndpoint
from tabwarden.errors import EndpointUnreachable, InvalidArgument, TabwardenError
from tabwarden.http_client import http_client
from tabwarden.kinds import kind_of
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_BROWSERS_OWN = "/devtools/"
"""The path prefix of a running browser's WebSocket. Connecting to it starts no new browser."""
_UNSET = "tabwarden config unset browser.endpoint"


async def check_endpoint(patient: Patient, budget: Budget) -> list[Finding]:
    """Attach to the browser and detach. For a hosted browser, only check the provider's API."""
    configured = patient.config.browser.endpoint
    if configured is None:
        words = "browser.endpoint is not set, so Tabwarden launches browsers on this machine."
        return [_finding("skipped", words)]
    if kind_of(configured) is not Browser:
        return [await _opened(configured, patient, budget.child(headroom_ms=500))]
    try:
        endpoint = endpoint_of(configured)
    except TabwardenError as error:
        return [_finding("problem", f"{error.message} {error.hint}", _UNSET)]
    try:
        return [await _asked(endpoint, budget.child(headroom_ms=500))]
    except InvalidArgument as error:
        return [_finding("problem", f"{error.message} {error.hint}", _mend(error))]
    except EndpointUnreachable as error:
        return [_finding("problem", f"{error.message} {error.hint}", _mend(error))]


async def _opened(configured: str, patient: Patient, budget: Budget) -> Finding:
    """Connect to another kind of browser, which creates nothing there, and leave it."""
    try:
        opening = kind_of(configured).connect(
            configured, config=patient.config.browser, timeout_ms=budget
        )
        async with opening as browser:
            note = browser.capabilities.note
    except TabwardenError as error:
        return _finding("problem", f"{error.message} {error.hint}", _mend(error))
    return _finding("ok", f"The server of {configured.partition('?')[0]} answers. {note}".strip())


async def _asked(endpoint: Endpoint, budget: Budget) -> Finding:
    if isinstance(endpoint, RemoteEndpoint):
        await _somebody_at(endpoint.api_url(), budget)
        words = f"{endpoint.provider} is reachable, and a key is set. No session was created."
        return _finding("ok", words)
    if isinstance(endpoint, AutoEndpoint | DebugChromeEndpoint):
        words = "The check did not connect, because Chrome may ask you; see `own_chrome`."
        return _finding("skipped", words)
    if not isinstance(endpoint, UrlEndpoint):
        return _finding(
            "skipped", "Another package provides this endpoint. The check did not open it."
        )
    url = endpoint.url
    parts = urlsplit(url if "://" in url else f"http://{url}")
    shown = f"{parts.scheme}://{parts.hostname or '127.0.0.1'}"
    may_create = parts.scheme in {"ws", "wss"} and _BROWSERS_OWN not in parts.path
    if may_create and parts.hostname not in _LOOPBACK:
        scheme = "https" if parts.scheme == "wss" else "http"
        await _somebody_at(f"{scheme}://{parts.netloc.rpartition('@')[2]}/", budget)
        words = (
            f"{shown} is reachable. The check did not connect, because a session may cost money."
        )
        return _finding("ok", words)
    attached = await open_endpoint(url, budget)
    await attached.wire.aclose()
    words = f"{attached.product or 'A browser'} answers at {shown}."
    return _finding("ok", words, data={"product": attached.product})


async def _somebody_at(url: str, budget: Budget) -> None:
    """Send a request without a key, only to see whether the server answers."""
    parts = urlsplit(url)
    try:
        async with http_client(
            trust_env=parts.hostname not in _LOOPBACK, timeout=budget.remaining_s()
        ) as client:
            await client.get(f"{parts.scheme}://{parts.netloc}/")
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise EndpointUnreachable(
            f"No server answers at {parts.scheme}://{parts.hostname} "
            f"({type(error).__name__}: {error}).",
            "Check the network, and HTTPS_PROXY if it is set.",
        ) from None


def _mend(error: TabwardenError) -> str:
    variable = error.data.get("variable") or error.data.get("field", "")
    if str(variable).isupper():
        return f"export {variable}=…"
    return _UNSET


def _finding(
    status: Status, message: str, command: str = "", data: dict[str, Any] | None = None
) -> Finding:
    return Finding(
        check="endpoint", status=status, message=message, command=command, data=data or {}
    )
