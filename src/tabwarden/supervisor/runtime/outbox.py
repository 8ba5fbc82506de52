"""The outbox: send the state machine's commands, and return their replies to the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabwarden.protocol import encode_params
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.transition import Ask, Send
from tabwarden.supervisor.link import Standby
from tabwarden.wire import Connection, Reply


class Outbox:
    """Args:
    feed: passes an input to the state machine.
    guard_post: sends the commands for targets that the guard watches.
    """

    def __init__(self, feed: Callable[[inputs.Input], None], guard_post: Standby) -> None:
        self._feed = feed
        self._guard_post = guard_post
        self._pending: dict[Ask, int] = {}
        """Unanswered commands that an equal, later command replaces."""

    def connected(self) -> None:
        """Use a new connection, on which no command is waiting for a reply yet."""
        self._pending.clear()

    def send(self, connection: Connection, sending: Send) -> None:
        command, ask = sending.command, sending.ask
        on_reply = self._reply_to(ask) if ask is not None else None
        if sending.guarded_target is not None:
            self._guard_post.send(command, sending.guarded_target, on_reply)
            return
        again = ask if ask is not None and ask.replaces else None
        if again is not None and again in self._pending:
            connection.forget(self._pending.pop(again))
        command_id = connection.send(
            command.METHOD, encode_params(command), sending.session_id, on_reply
        )
        if again is not None:
            self._pending[again] = command_id

    def _reply_to(self, ask: Ask) -> Callable[[Reply], None]:
        def on_reply(reply: Reply) -> None:
            if ask.replaces:
                self._pending.pop(ask, None)
            error = reply.lost or (str(reply.error) if reply.error is not None else None)
            # On a dead connection, the reply arrives while ``feed`` runs, and ``feed`` must not
            # call itself.
            if reply.lost is not None:
                asyncio.get_running_loop().call_soon(self._feed, inputs.Replied(ask, None, error))
            else:
                self._feed(inputs.Replied(ask, reply.result, error))

        return on_reply
