"""Check the launch options: the files and folders that they name, and the proxy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, set_options
from tabwarden.egress.origins import Place
from tabwarden.egress.outside import Outside, Unreachable
from tabwarden.egress.upstream import Upstream
from tabwarden.endpoints.launching import read_authorities
from tabwarden.errors import InvalidArgument
from tabwarden.page.environment import device_of
from tabwarden.policy import launch_options, upstream_of
from tabwarden.surfaces.doctor.finding import Finding, Status
from tabwarden.surfaces.doctor.patient import Patient

_NOWHERE = Place("tabwarden-doctor.invalid", 443)
"""A name that no proxy can reach (RFC 2606), so the check reaches nobody else."""


async def check_launching(patient: Patient, budget: Budget) -> list[Finding]:
    config = patient.config.browser
    names = set_options(config)
    if not names:
        return [_finding("skipped", "No launch options are configured.")]
    if config.endpoint is not None:
        return [_finding("skipped", "Tabwarden attaches, so the browser was started elsewhere.")]
    found = await asyncio.get_running_loop().run_in_executor(None, partial(_faults, config))
    upstream = upstream_of(config)
    if upstream is not None:
        async with asyncio.timeout(budget.remaining_s()):
            found += await _proxy_faults(upstream)
    words = f"The launch options work: {', '.join(names)}."
    return found or [_finding("ok", words)]


def _faults(config: BrowserConfig) -> list[Finding]:
    """Return what is wrong with the options, without a connection."""
    looks: list[Callable[[], object]] = [
        lambda: launch_options(config).checked(),
        lambda: device_of(config.device, None),
        lambda: read_authorities(config.ca) if config.ca is not None else None,
    ]
    found = []
    for look in looks:
        try:
            look()
        except InvalidArgument as error:
            words = f"{error.message} {error.hint}".strip()
            mend = f"tabwarden config unset browser.{error.data['field']}"
            found.append(_finding("problem", words, mend))
    return found


async def _proxy_faults(upstream: Upstream) -> list[Finding]:
    shown = f"{upstream.scheme}://{upstream.place}"
    try:
        connection = await Outside(upstream).connect_by(upstream, _NOWHERE)
    except Unreachable as unreachable:
        error, code = str(unreachable), unreachable.code
    else:
        connection.close()
        return []
    mend = "tabwarden config unset browser.proxy"
    if error.endswith("PROXY_CERTIFICATE_INVALID"):
        words = f"The certificate of the proxy {shown} is not trusted; browser.ca can name its CA."
        return [_finding("problem", words)]
    if error.endswith("PROXY_CONNECTION_FAILED"):
        return [_finding("problem", f"The proxy {shown} can't be reached.", mend)]
    if error.endswith("PROXY_AUTH_REQUESTED"):
        words = f"The proxy {shown} refuses the login (browser.proxy, username and password)."
        return [_finding("problem", words, mend)]
    if upstream.scheme == "socks5" and code is None:
        words = f"The proxy {shown} hangs up on a request. It may refuse the login (browser.proxy)."
        return [_finding("warning", words)]
    return []  # it answered, and found the name nowhere


def _finding(status: Status, message: str, command: str = "") -> Finding:
    return Finding(check="launching", status=status, message=message, command=command)
