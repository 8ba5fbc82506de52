"""An egress proxy for a task's own browser context, if the browser can reach the proxy.

The proxy listens on this computer's loopback address, but an attached browser may run on another
computer, behind a forwarded port. To find out, we let a temporary context with this proxy request a
random host name. If the request arrives at the proxy, the browser runs on this computer. The proxy
refuses the request, so nothing leaves the computer.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import BYPASS_LIST, EgressProxy
from tabwarden.egress.upstream import Upstream
from tabwarden.protocol import Command, decode_result, encode_params, page, system_info, target
from tabwarden.supervisor.contexts.leases import Lease
from tabwarden.wire import Connection


class GateKeeper:
    """A ``Judge`` (``egress/proxy.py``) that uses the current gate for each decision."""

    def __init__(self, gate: Callable[[], Gate]) -> None:
        self._gate = gate

    @property
    def gate(self) -> Gate:
        return self._gate()

    def refuses_name(self, place: Place) -> Why | None:
        return self._gate().refuses_name(place)

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        return self._gate().refuses_address(place, address)


log = logging.getLogger("tabwarden.supervisor")

_PROXY_SWITCH = re.compile(r"(?:^|\s)--(?:proxy-server|proxy-pac-url|proxy-auto-detect)\b")
"""The switches with which a browser uses its own proxy. We never override such a proxy, because
anonymity or company rules may depend on it. Our own proxy follows the environment's proxy settings
in any case.
"""


async def open_way_out(
    connection: Connection, upstream: Upstream | None = None
) -> EgressProxy | None:
    """Return a proxy that this browser can use; the proxy has no judge yet. Return None if the
    browser runs on another computer, or was started with another proxy, which we must not bypass.
    Call this function before anybody reads the connection's events.

    Args:
        connection: a connection to the browser.
        upstream: the user's own proxy; None for the proxy from the system's settings.
    """
    if await _has_a_proxy(connection):
        return None
    try:
        proxy = await EgressProxy.start(upstream)
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
    info = await _result(connection, system_info.GetInfo())
    return info is not None and _PROXY_SWITCH.search(info.command_line) is not None


async def _is_used(connection: Connection, proxy: EgressProxy) -> bool:
    proxy.judge = judge = _Probe()
    context_id = await _made(connection, proxy)
    if context_id is None:
        return False
    lease = Lease.take(context_id)  # so that other tasks ignore this context's tab
    dispose = _sent(target.DisposeBrowserContext(browser_context_id=context_id))
    try:
        await _ask(connection, context_id, f"http://{judge.name}/")
        await connection.call(*dispose)
    except BaseException:
        connection.send(*dispose)
        raise
    finally:
        proxy.judge = None
        if lease is not None:
            lease.end()
    return judge.was


async def _made(connection: Connection, proxy: EgressProxy) -> str | None:
    command = target.CreateBrowserContext(
        dispose_on_detach=True, proxy_server=proxy.url, proxy_bypass_list=BYPASS_LIST
    )
    made = await _result(connection, command)
    return made.browser_context_id if made is not None else None


async def _ask(connection: Connection, context_id: str, url: str) -> None:
    """Open the URL in the context, and wait until it has failed to load."""
    command = target.CreateTarget(
        url="about:blank", browser_context_id=context_id, background=True, hidden=True
    )
    made = await _result(connection, command)
    if made is None:
        return
    attach = target.AttachToTarget(target_id=made.target_id, flatten=True)
    attached = await _result(connection, attach)
    if attached is not None:
        await _result(connection, page.Navigate(url=url), attached.session_id)


async def _result(
    connection: Connection, command: Command[Any], session_id: str | None = None
) -> Any | None:
    """Return a command's result; None if the browser rejects the command or has disconnected."""
    reply = await connection.call(*_sent(command), session_id)
    if reply.result is None:
        return None
    try:
        return decode_result(type(command), reply.result)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _sent(command: Command[Any]) -> tuple[str, bytes]:
    return command.METHOD, encode_params(command)


class _Probe:
    """A ``Judge`` that refuses everything, and records whether its own random host name was
    requested.
    """

    def __init__(self) -> None:
        self.name = f"{secrets.token_hex(16)}.invalid"
        self.was = False
        self.gate = Gate()

    def refuses_name(self, place: Place) -> Why | None:
        self.was = self.was or place.host == self.name
        return "not_allowed"

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        return "not_allowed"
