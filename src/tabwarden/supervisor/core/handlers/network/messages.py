"""Messages of WebSockets and EventSources in the network log: the last messages of each connection,
shortened.
"""

from __future__ import annotations

from tabwarden.supervisor.core.handlers.network import events as told
from tabwarden.supervisor.core.handlers.network import log
from tabwarden.supervisor.core.state.network_log import (
    MESSAGE_KEPT,
    MESSAGES_KEPT,
    Message,
    Messages,
)
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import frozen, replace

_TALKERS_MAX = 20
"""How many of a tab's WebSockets and EventSources keep their messages: the most recently active
ones.
"""
_TEXT = 1
_BINARY = 2


def _frame(turn: Turn, event: told.Frame, session_id: str | None) -> None:
    sent, data = isinstance(event, told.FrameSent), event.response.payload_data
    if event.response.opcode == _TEXT:
        message = Message(sent=sent, at=event.timestamp, size=len(data), text=data[:MESSAGE_KEPT])
    elif event.response.opcode == _BINARY:  # its payload is Base64
        size = len(data) * 3 // 4 - data[-2:].count("=")
        kept = data[:MESSAGE_KEPT]
        message = Message(sent=sent, at=event.timestamp, size=size, data=kept)
    else:  # ping, pong, close
        return
    _add(turn, event.request_id, session_id, message)


def _source_message(turn: Turn, event: told.SourceMessage, session_id: str | None) -> None:
    message = Message(
        sent=False,
        at=event.timestamp,
        size=len(event.data),
        text=event.data[:MESSAGE_KEPT],
        event=event.event_name[: told.TEXT_MAX],
    )
    _add(turn, event.request_id, session_id, message)


def _add(turn: Turn, request_id: str, session_id: str | None, message: Message) -> None:
    tab = turn.state.tab_of_session(session_id)
    if tab is None or log.find(turn, request_id, session_id) is None:
        return
    known = turn.state.network[tab.tab_id]
    others = known.messages.copy()
    before = others.pop(request_id, Messages())
    kept = (*before.kept, message)
    dropped = before.dropped + max(0, len(kept) - MESSAGES_KEPT)
    others[request_id] = Messages(kept=kept[-MESSAGES_KEPT:], dropped=dropped)
    if len(others) > _TALKERS_MAX:
        del others[next(iter(others))]
    turn.put("network", tab.tab_id, replace(known, messages=frozen(others)))


EVENTS = (
    (told.FrameSent, _frame),
    (told.FrameReceived, _frame),
    (told.SourceMessage, _source_message),
)
