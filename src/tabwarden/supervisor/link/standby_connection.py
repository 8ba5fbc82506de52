"""The guard: a second connection that keeps native dialogs open while the first connection is lost.

When the last client with ``Page`` enabled disconnects, no later client can answer the page's dialog
(docs/facts.md, "Native dialogs"). Therefore, if an endpoint accepts two connections, the guard
watches every page over the second connection, and receives almost no events. The guard answers
dialogs that were open when the first connection broke, and reports dialogs that opened before the
reconnect. It attaches to a page only after the page is set up, because auto-attach on a second
connection would start pages too early.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints import Endpoint
from tabwarden.errors import TabwardenError
from tabwarden.protocol import Command, decode_event, decode_result, encode_params, page, target
from tabwarden.wire import Connection, Envelope, Reply, Wire

OnDialog = Callable[[str, page.JavascriptDialogOpening], None]

log = logging.getLogger("tabwarden.supervisor")


class Guard:
    """An open second connection. Use it only on the engine's loop. ``on_dialog(target_id, event)``
    is called when a dialog opens. ``on_lost`` is called once, if the connection breaks."""

    def __init__(self, wire: Wire, on_dialog: OnDialog, on_lost: Callable[[], None]) -> None:
        self.dialogs: dict[str, page.JavascriptDialogOpening] = {}
        """The open dialogs, by target."""
        self._sessions: dict[str, str] = {}
        self._on_dialog = on_dialog
        self._on_lost = on_lost
        self._connection = Connection(wire, self._on_event, self._on_close)
        self._connection.start()

    @property
    def targets(self) -> frozenset[str]:
        """The targets whose dialogs the guard keeps open."""
        return frozenset() if self._connection.lost is not None else frozenset(self._sessions)

    def watch(self, target_id: str) -> None:
        """Attach to a page that is set up."""
        if target_id in self._sessions:
            return

        def attached(reply: Reply) -> None:
            if reply.result is None:
                return
            try:
                session_id = decode_result(target.AttachToTarget, reply.result).session_id
            except msgspec.DecodeError:
                return
            self._sessions[target_id] = session_id
            self._connection.send(page.Enable.METHOD, b"{}", session_id)

        params = encode_params(target.AttachToTarget(target_id=target_id, flatten=True))
        self._connection.send(target.AttachToTarget.METHOD, params, None, attached)

    def send(
        self, command: Command[Any], target_id: str, on_reply: Callable[[Reply], None] | None
    ) -> None:
        session_id = self._sessions.get(target_id, "")
        params = encode_params(command)
        self._connection.send(command.METHOD, params, session_id, on_reply)

    async def aclose(self) -> None:
        """Close the connection without calling ``on_lost``."""
        self._on_lost = lambda: None
        await self._connection.aclose()

    def _on_event(self, envelope: Envelope) -> None:
        try:
            if envelope.method == target.DetachedFromTarget.METHOD:
                self._detached(decode_event(target.DetachedFromTarget, envelope.params).session_id)
            elif envelope.method == page.JavascriptDialogOpening.METHOD:
                opened = decode_event(page.JavascriptDialogOpening, envelope.params)
                for target_id in self._targets_of(envelope.session_id):
                    self.dialogs[target_id] = opened
                    self._on_dialog(target_id, opened)
            elif envelope.method == page.JavascriptDialogClosed.METHOD:
                for target_id in self._targets_of(envelope.session_id):
                    self.dialogs.pop(target_id, None)
        except msgspec.DecodeError:
            return

    def _detached(self, session_id: str) -> None:
        for target_id in self._targets_of(session_id):
            del self._sessions[target_id]
            self.dialogs.pop(target_id, None)

    def _targets_of(self, session_id: str | None) -> list[str]:
        return [t for t, s in self._sessions.items() if s == session_id]

    def _on_close(self, reason: str) -> None:
        log.debug("the standby connection ended: %s", reason)
        self._on_lost()


async def post_guard(
    endpoint: Endpoint, budget: Budget, on_dialog: OnDialog, on_lost: Callable[[], None]
) -> Guard | None:
    """Open the second connection; return None if the endpoint accepts only one."""
    try:
        opened = await endpoint.open(budget)
    except TabwardenError as error:
        log.info("no standby connection: %s", error)
        return None
    return Guard(opened.wire, on_dialog, on_lost)
