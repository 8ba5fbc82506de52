"""Check whether ``tabwarden serve`` can listen on its port, or is already listening there."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from typing import Any

import httpx2

from tabwarden.budget import Budget
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.doctor.timing import SERVER_S

_FREE = "tabwarden config set server.port 0  # any free one"


async def check_server(patient: Patient, budget: Budget) -> list[Finding]:
    """Open the port for a moment. If the port is in use, check whether our server uses it.

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
        return [_finding("problem", words, "tabwarden config unset server.host")]
    family, _, _, _, address = found[0]
    fault = _bound(family, (str(address[0]), server.port))
    if fault == errno.EADDRINUSE:
        return [await _who(str(address[0]), server.port, budget)]
    if fault == errno.EADDRNOTAVAIL:
        words = f"server.host {server.host} is not an address of this machine."
        return [_finding("problem", words, "tabwarden config unset server.host")]
    if fault is not None:
        words = f"This user can't listen on {place}: {errno.errorcode.get(fault, fault)}."
        return [_finding("problem", words, "tabwarden config unset server.port")]
    if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
        words = f"{place} is free. Other machines can reach it, without encryption."
        return [_finding("warning", words, "tabwarden config unset server.host")]
    return [
        _finding("ok", f"{place} is free." if server.port else "The server takes any free port.")
    ]


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
        return _finding("ok", f"tabwarden serve is running on {host}:{port}.", data=data)
    words = f"Another program already listens on {host}:{port}, the address of tabwarden serve."
    return _finding("problem", words, _FREE, data=data)


def _finding(
    status: Status, message: str, command: str = "", data: dict[str, Any] | None = None
) -> Finding:
    return Finding(check="server", status=status, message=message, command=command, data=data or {})
