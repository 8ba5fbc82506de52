"""The way out of a context of the task's own: an egress proxy, where the browser can reach one.

A proxy listens on this machine's loopback, and nothing says for certain whether a browser that was
attached to is here too: its port may be forwarded from elsewhere. So it is tried. A throw-away
context with that proxy asks for a name that nobody else can know; only if the proxy is asked for it
is the browser's loopback ours. Nothing of that leaves the machine: the proxy refuses it.
"""

from __future__ import annotations

import logging
import re
import secrets
from typing import Any

import msgspec

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Why
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import BYPASS_LIST, EgressProxy
from tabwarden.protocol import Command, decode_result, encode_params, page, system_info, target
from tabwarden.supervisor.leases import Lease
from tabwarden.wire import Connection

__all__ = ["open_way_out"]

log = logging.getLogger("tabwarden.supervisor")

_PROXY_SWITCH = re.compile(r"(?:^|\s)--(?:proxy-server|proxy-pac-url|proxy-auto-detect)\b")
"""Anonymity or a company's rules may depend on it. What the environment says, ours obeys too."""


async def open_way_out(connection: Connection) -> EgressProxy | None:
    """A proxy that this browser can use, without a judge; None: it runs elsewhere, or has been
    given a proxy that is not ours to pass by.

    Args:
        connection: to a browser that may be on this machine. Its events are nobody's yet: the trial
            has a session of its own.
    """
    if await _has_a_proxy(connection):
        return None
    try:
        proxy = await EgressProxy.start()
    except OSError as error:
        log.warning("no egress proxy for a browser context: %s", error.strerror)
        return None
    try:
        if await _is_used(connection, proxy):
            return proxy
    except BaseException:
        await proxy.aclose()
        raise
    await proxy.aclose()
    return None


async def _has_a_proxy(connection: Connection) -> bool:
    told = await _result(connection, system_info.GetInfo())
    return told is not None and _PROXY_SWITCH.search(told.command_line) is not None


async def _is_used(connection: Connection, proxy: EgressProxy) -> bool:
    proxy.judge = asked = _Asked()
    context_id = await _made(connection, proxy)
    if context_id is None:
        return False
    lease = Lease.take(context_id)  # other tasks show no tab of it
    dispose = _sent(target.DisposeBrowserContext(browser_context_id=context_id))
    try:
        await _ask(connection, context_id, f"http://{asked.name}/")
        await connection.call(*dispose)
    except BaseException:
        connection.send(*dispose)
        raise
    finally:
        proxy.judge = None
        if lease is not None:
            lease.end()
    return asked.was


async def _made(connection: Connection, proxy: EgressProxy) -> str | None:
    command = target.CreateBrowserContext(
        dispose_on_detach=True, proxy_server=proxy.url, proxy_bypass_list=BYPASS_LIST
    )
    made = await _result(connection, command)
    return made.browser_context_id if made is not None else None


async def _ask(connection: Connection, context_id: str, url: str) -> None:
    """Go there, and wait until that has failed."""
    shown = target.CreateTarget(
        url="about:blank", browser_context_id=context_id, background=True, hidden=True
    )
    made = await _result(connection, shown)
    if made is None:
        return
    attach = target.AttachToTarget(target_id=made.target_id, flatten=True)
    attached = await _result(connection, attach)
    if attached is not None:
        await _result(connection, page.Navigate(url=url), attached.session_id)


async def _result(
    connection: Connection, command: Command[Any], session_id: str | None = None
) -> Any | None:
    """What a command gives; None where it is refused or the browser goes away."""
    reply = await connection.call(*_sent(command), session_id)
    if reply.result is None:
        return None
    try:
        return decode_result(type(command), reply.result)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _sent(command: Command[Any]) -> tuple[str, bytes]:
    return command.METHOD, encode_params(command)


class _Asked:
    """A ``Judge`` that lets nothing out, and knows one name when it hears it."""

    def __init__(self) -> None:
        self.name = f"{secrets.token_hex(16)}.invalid"
        self.was = False

    def refuses_name(self, place: Place) -> Why | None:
        """See ``Judge``."""
        self.was = self.was or place.host == self.name
        return "not_allowed"

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        """See ``Judge``."""
        return "not_allowed"
