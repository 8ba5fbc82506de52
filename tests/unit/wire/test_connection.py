"""One connection, many calls: replies match their calls, and a dead wire fails all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from tabwarden.wire import Connection, Envelope, Reply

pytestmark = pytest.mark.anyio


class FakeWire:
    """A wire whose peer is the test."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.on_message: Callable[[bytes], None] = lambda _: None
        self.on_close: Callable[[str], None] = lambda _: None

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        self.on_message, self.on_close = on_message, on_close

    def send(self, message: bytes) -> None:
        self.sent.append(json.loads(message))

    async def aclose(self) -> None:
        self.on_close("closed by us")

    def reply(self, command_id: int, **about: Any) -> None:
        self.on_message(json.dumps({"id": command_id, **about}).encode())


class Line:
    """A connection over a fake wire, with its output."""

    def __init__(self) -> None:
        self.wire = FakeWire()
        self.events: list[Envelope] = []
        self.closed: list[str] = []
        self.connection = Connection(self.wire, self.events.append, self.closed.append)
        self.connection.start()
        self.replies: list[Reply] = []

    def send(self, method: str, session_id: str | None = None) -> int:
        return self.connection.send(method, b"{}", session_id, self.replies.append)


@pytest.fixture
def line() -> Line:
    return Line()


async def test_connection_matches_replies_to_calls_in_any_order(line: Line) -> None:
    first, second = line.send("A.a"), line.send("B.b")
    line.wire.reply(second, result={"n": 2})
    line.wire.reply(first, result={"n": 1})
    assert [(r.method, bytes(r.result or b"")) for r in line.replies] == [
        ("B.b", b'{"n": 2}'),
        ("A.a", b'{"n": 1}'),
    ]
    assert line.connection.in_flight == 0


async def test_error_reply_fails_its_call(line: Line) -> None:
    line.wire.reply(line.send("A.a"), error={"code": -1, "message": "No"})
    (reply,) = line.replies
    assert (reply.result, reply.lost, str(reply.error)) == (None, None, "No")


async def test_dead_connection_fails_every_pending_and_later_call(
    line: Line,
) -> None:
    for method in ("A.a", "B.b", "C.c"):
        line.send(method)
    line.wire.on_close("the pipe broke")
    line.send("D.d")
    assert [(r.method, r.lost) for r in line.replies] == [
        (method, "the pipe broke") for method in ("A.a", "B.b", "C.c", "D.d")
    ]
    assert line.closed == ["the pipe broke"]
    line.wire.on_close("again")
    assert line.closed == ["the pipe broke"]
    assert len(line.wire.sent) == 3


async def test_ended_session_fails_only_its_own_calls(line: Line) -> None:
    line.send("A.a", "S1")
    other = line.send("B.b", "S2")
    line.connection.session_ended("S1", "the frame is gone")
    assert [(r.method, r.lost) for r in line.replies] == [("A.a", "the frame is gone")]
    line.wire.reply(other, result={})
    assert len(line.replies) == 2


async def test_connection_drops_duplicate_unknown_and_abandoned_replies(line: Line) -> None:
    known = line.send("A.a")
    forgotten = line.send("B.b")
    line.connection.forget(forgotten)
    for command_id in (known, known, forgotten, 999):
        line.wire.reply(command_id, result={})
    assert [r.method for r in line.replies] == ["A.a"]


async def test_connection_drops_a_malformed_message_and_delivers_later_ones(line: Line) -> None:
    line.wire.on_message(b"nonsense")
    line.wire.on_message(b'{"method":"Page.x","params":{}}')
    assert [event.method for event in line.events] == ["Page.x"]


async def test_connection_call_can_be_awaited_or_abandoned(line: Line) -> None:
    with anyio.move_on_after(0):
        await line.connection.call("A.a")
    assert line.connection.in_flight == 0
    async with anyio.create_task_group() as group:

        async def ask() -> None:
            line.replies.append(await line.connection.call("B.b"))

        group.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        line.wire.reply(2, result={"n": 2})
    assert bytes(line.replies[0].result or b"") == b'{"n": 2}'


@pytest.mark.parametrize(
    "reply",
    [
        b'{"id":1,"error":{"code":"x"}}',
        b' { "id" : 1 , "result": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"id":1,"result":{"text":"\xff',
    ],
)
async def test_undecodable_reply_fails_its_call_at_once(reply: bytes, line: Line) -> None:
    line.send("A.a")
    line.send("B.b")
    line.wire.on_message(reply)
    (failed,) = line.replies
    assert (failed.method, failed.result, failed.lost) == ("A.a", None, None)
    assert "malformed" in str(failed.error)
    assert line.connection.in_flight == 1


async def test_command_without_a_callback_is_sent_and_its_reply_dropped(line: Line) -> None:
    posted = line.connection.send("A.a", b'{"n":1}', "S1")
    assert line.wire.sent == [
        {"id": posted, "method": "A.a", "params": {"n": 1}, "sessionId": "S1"}
    ]
    assert line.connection.in_flight == 0
    line.connection.session_ended("S1", "gone")
    line.wire.reply(posted, result={})
    line.wire.reply(posted, error={"code": 1, "message": "No"})
    line.wire.on_close("the pipe broke")
    line.connection.send("B.b")
    assert line.closed == ["the pipe broke"]
    assert line.connection.lost == "the pipe broke"


async def test_connection_delivers_events_in_order_with_their_session(line: Line) -> None:
    for number in range(3):
        line.wire.on_message(b'{"method":"M.m%d","params":{},"sessionId":"S%d"}' % (number, number))
    assert [(e.method, e.session_id) for e in line.events] == [
        ("M.m0", "S0"),
        ("M.m1", "S1"),
        ("M.m2", "S2"),
    ]


async def test_pending_call_gets_the_reason_when_the_connection_closes(line: Line) -> None:
    replies: list[Reply] = []

    async def ask(method: str) -> None:
        replies.append(await line.connection.call(method))

    async with anyio.create_task_group() as group:
        group.start_soon(ask, "A.a")
        group.start_soon(ask, "B.b")
        await anyio.wait_all_tasks_blocked()
        await line.connection.aclose()
    assert sorted((r.method, r.lost) for r in replies) == [
        ("A.a", "closed by us"),
        ("B.b", "closed by us"),
    ]
    assert (await line.connection.call("C.c")).lost == "closed by us"


async def test_call_sent_from_a_failure_callback_fails_too(line: Line) -> None:
    again: list[Reply] = []
    line.connection.send(
        "A.a", on_reply=lambda _: line.connection.send("B.b", on_reply=again.append)
    )
    line.wire.on_close("the pipe broke")
    assert [(r.method, r.lost) for r in again] == [("B.b", "the pipe broke")]


async def test_reply_after_its_session_ended_is_dropped(line: Line) -> None:
    late = line.send("A.a", "S1")
    line.connection.session_ended("S1", "the frame is gone")
    line.wire.reply(late, result={})
    assert [r.lost for r in line.replies] == ["the frame is gone"]


async def test_connection_never_reuses_a_command_id(line: Line) -> None:
    ids = [line.send("A.a") for _ in range(3)]
    line.wire.reply(ids[0], result={})
    line.connection.forget(ids[1])
    ids += [line.connection.send("B.b"), line.send("C.c")]
    assert sorted(set(ids)) == ids
    assert [sent["id"] for sent in line.wire.sent] == ids
