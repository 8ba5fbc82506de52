"""The race: which events end a wait, and no leftovers afterwards."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest
from support.memory_wire import MemoryWire, attach, supervised

from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, BudgetExceeded, Cancelled, TabwardenError, TargetCrashed
from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor.core.prompts import AuthChallenge, AuthRequired
from tabwarden.supervisor.core.state import notices
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.runtime import CDPSupervisor, CommandRefused, Interrupted, Race
from tabwarden.wire import ProtocolError

pytestmark = pytest.mark.anyio

LONG_MS = 20_000.0
SHORT_MS = 30.0
EVALUATE = runtime.Evaluate(expression="1")
SILENT = target.GetTargetInfo(target_id="T1")


@pytest.fixture
async def supervisor(wire: MemoryWire) -> AsyncIterator[CDPSupervisor]:
    supervisor = await supervised(wire)
    wire.silent.add(SILENT.METHOD)
    yield supervisor
    await supervisor.stop()


def racing(
    supervisor: CDPSupervisor, timeout_ms: float = LONG_MS, tab_id: str | None = "t1", **how: Any
) -> Race:
    return Race(supervisor, Budget(timeout_ms), tab_id, **how)


def dialog(tab_id: str = "t1", **more: Any) -> notices.DialogOpened:
    opened = PendingDialog(
        id="d-1", type="confirm", message="?", default_prompt="", frame_id="T1", session_id="S1",
        target_id="T1", tab_id=tab_id, url="", opened_at=0.0, deadline=0.0, **more,
    )  # fmt: skip
    return notices.DialogOpened(tab_id=tab_id, dialog=opened)


def challenge(tab_id: str = "t1") -> AuthRequired:
    fields = dict.fromkeys(AuthChallenge.__struct_fields__, "")
    fields |= {"is_proxy": False, "opened_at": 0.0, "deadline": 0.0, "answered": False}
    return AuthRequired(tab_id=tab_id, challenge=AuthChallenge(**{**fields, "id": "a-1"}))  # type: ignore[arg-type]


CRASH = notices.TargetCrashed(tab_id="t1", reason="out of memory")
CLOSED = notices.TabClosed(tab_id="t1", reason="the page closed itself")
REPLACED = notices.TabReplaced(tab_id="t1", target_id="T9")


def told(supervisor: CDPSupervisor, *news: notices.Notice) -> None:
    supervisor._publish(news)


async def ending_of(
    supervisor: CDPSupervisor, race: Race, happens: Callable[[], object]
) -> Exception | None:
    """The outcome of a pending command after an event; None: it still waits."""
    with race:
        waiting = asyncio.ensure_future(race.call(SILENT, None))
        await asyncio.sleep(0)
        happens()
        for _ in range(20):  # turns of the loop, however long they take
            await asyncio.sleep(0)
        if waiting.done():
            return waiting.exception()  # type: ignore[return-value]
        race.raise_if_ended()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return None


# -- commands --------------------------------------------------------------------------------


async def test_race_command_returns_its_result_and_leaves_nothing_pending(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    wire.answers["Runtime.evaluate"] = {"result": {"type": "number", "value": 2}}
    with racing(supervisor) as race:
        assert (await race.call(EVALUATE, "S1")).result.value == 2
        assert not race._commands
        assert not race._waiters
    assert supervisor.connection.in_flight == 0
    assert not supervisor._audience.observers


async def test_race_commands_can_be_sent_before_they_are_awaited(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    with racing(supervisor) as race:
        pending = [race.start(page.StopLoading(), "S1") for _ in range(3)]
        assert wire.methods()[-3:] == ["Page.stopLoading"] * 3
        assert [wire.sent[-1 - n]["sessionId"] for n in range(3)] == ["S1"] * 3
        for one in pending:
            await race.result(one)


@pytest.mark.parametrize("way", ["call", "raw"])
async def test_rejected_command_error_contains_the_command_and_the_reason(
    way: str, supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    wire.answers["Page.reload"] = {"code": -32000, "message": "Not attached"}
    with racing(supervisor) as race, pytest.raises(CommandRefused) as caught:
        await (
            race.call(page.Reload(), "S1")
            if way == "call"
            else race.raw("Page.reload", b"{}", "S1")
        )
    assert caught.value.message == "The browser rejected Page.reload: Not attached."
    assert "new snapshot" in caught.value.hint
    assert caught.value.data == {"method": "Page.reload", "cdp_code": -32000}
    assert caught.value.error.message == "Not attached"


async def test_malformed_command_reply_raises_command_refused(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    wire.answers["Runtime.evaluate"] = {"result": 7}
    with racing(supervisor) as race, pytest.raises(CommandRefused, match="an unexpected format"):
        await race.call(EVALUATE, "S1")


async def test_raw_command_returns_the_unparsed_reply(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    wire.answers["Some.thing"] = {"a": [1]}
    with racing(supervisor) as race:
        found = await race.raw("Some.thing", b'{"b":2}', "S1")
        assert msgspec.json.decode(found) == {"a": [1]}
    (sent,) = [one for one in wire.sent if one["method"] == "Some.thing"]
    assert (sent["params"], sent["sessionId"]) == ({"b": 2}, "S1")
    assert supervisor.connection.in_flight == 0


@pytest.mark.parametrize("way", ["call", "raw"])
async def test_race_discards_an_unanswered_command_when_it_ends(
    way: str, supervisor: CDPSupervisor
) -> None:
    with racing(supervisor, SHORT_MS) as race, pytest.raises(BudgetExceeded):
        await (race.call(SILENT, None) if way == "call" else race.raw(SILENT.METHOD, b"{}", None))
    assert supervisor.connection.in_flight == 0


async def test_end_of_a_session_fails_its_pending_commands(supervisor: CDPSupervisor) -> None:
    with racing(supervisor) as race:
        pending = race.start(SILENT, "S1")
        supervisor.connection.session_ended("S1", "the frame moved")
        with pytest.raises(CommandRefused, match="the frame moved"):
            await race.result(pending)


@pytest.mark.parametrize(
    ("method", "session_id", "is_heard"),
    [
        (EVALUATE, "S1", True),
        (runtime.Enable(), "S1", True),
        (page.StopLoading(), "S1", False),
        (EVALUATE, None, False),
    ],
)
async def test_race_records_when_a_renderers_main_thread_last_answered(
    method: Any,
    session_id: str | None,
    is_heard: bool,
    supervisor: CDPSupervisor,
    wire: MemoryWire,
) -> None:
    wire.answers["Runtime.evaluate"] = {"result": {"type": "undefined"}}
    supervisor.heard.clear()
    before = asyncio.get_running_loop().time()
    with racing(supervisor) as race:
        await race.call(method, session_id)
    assert list(supervisor.heard) == (["S1"] if is_heard else [])
    assert all(at >= before for at in supervisor.heard.values())


async def test_older_answer_does_not_replace_a_later_last_answer_time(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    wire.answers["Runtime.evaluate"] = {"result": {"type": "undefined"}}
    supervisor.heard["S1"] = later = asyncio.get_running_loop().time() + 1000
    with racing(supervisor) as race:
        await race.call(EVALUATE, "S1")
    assert supervisor.heard["S1"] == later


# -- ends ------------------------------------------------------------------------------------


async def test_race_timeout_error_describes_the_current_step(
    supervisor: CDPSupervisor,
) -> None:
    race = racing(supervisor, SHORT_MS)
    with race, pytest.raises(BudgetExceeded) as caught, race.doing("looking"):
        await race.call(SILENT, None)
    assert caught.value.message == "The call did not finish within its 30 ms: it was looking."
    assert caught.value.data["timeout_ms"] == SHORT_MS
    assert race.budget.doing == "looking"
    assert race.budget.expired


async def test_race_timeout_error_does_not_mention_a_finished_step(
    supervisor: CDPSupervisor,
) -> None:
    race = racing(supervisor, SHORT_MS)
    race.budget.doing = "before"
    with race:
        with race.doing("within"):
            assert race.budget.doing == "within"
        assert race.budget.doing == "before"
        race.budget.doing = ""
        with pytest.raises(BudgetExceeded, match=r"within its 30 ms\.$"):
            await race.call(SILENT, None)


async def test_cancel_from_another_thread_ends_a_race(supervisor: CDPSupervisor) -> None:
    race = racing(supervisor)
    cancel = threading.Thread(target=race.budget.cancel, args=("the user left",))
    with race:
        waiting = asyncio.ensure_future(race.call(SILENT, None))
        await asyncio.sleep(0)
        cancel.start()
        with pytest.raises(Cancelled, match="the user left"):
            await waiting
    await asyncio.to_thread(cancel.join)
    assert not race.budget._shared._callbacks


async def test_race_leaves_no_subscription_to_its_budget(supervisor: CDPSupervisor) -> None:
    budget = Budget(LONG_MS)
    with Race(supervisor, budget, "t1"):
        assert budget._shared._callbacks
    assert not budget._shared._callbacks


GONE = "Tabwarden can no longer reach the browser: killed."
LOST = "The connection to the browser was lost during the call: cut."


@pytest.mark.parametrize(
    ("news", "kind", "words"),
    [
        (dialog(), Interrupted, "PendingDialog"),
        (challenge(), Interrupted, "AuthChallenge"),
        (CRASH, TargetCrashed, "The page in tab t1 crashed: out of memory."),
        (CLOSED, BrowserGone, "Tab t1 was closed during the call."),
        (REPLACED, BrowserGone, "Tab t1 hung, and a new tab replaced it."),
        (notices.EndpointLost(tab_id="", reason="killed"), BrowserGone, GONE),
        (notices.EndpointLost(tab_id="", reason="cut", reconnecting=True), BrowserGone, LOST),
    ],
)
async def test_events_of_its_tab_or_the_browser_end_a_race(
    news: notices.Notice, kind: type[Exception], words: str, supervisor: CDPSupervisor
) -> None:
    error = await ending_of(supervisor, racing(supervisor), lambda: told(supervisor, news))
    assert type(error) is kind
    assert (error.message if isinstance(error, TabwardenError) else str(error)) == words
    if isinstance(error, TabwardenError):
        assert error.hint
        assert error.data["reason"]
        assert error.data.get("tab_id", "") == news.tab_id
        assert error.data.get("reconnecting", False) == getattr(news, "reconnecting", False)
    else:
        assert isinstance(error, Interrupted)
        assert error.by == (getattr(news, "dialog", None) or getattr(news, "challenge", None))


@pytest.mark.parametrize(
    "news",
    [
        dialog("t2"),
        dialog(is_leaving=True),
        challenge("t2"),
        notices.TargetCrashed(tab_id="t2", reason="x"),
        notices.TargetCrashed(tab_id="t1", reason="x", is_oopif=True),
        notices.TabClosed(tab_id="t2", reason="x"),
        notices.TabReplaced(tab_id="t2", target_id="T9"),
        notices.EndpointRegained(tab_id=""),
    ],
)
async def test_events_of_other_tabs_do_not_end_a_race(
    news: notices.Notice, supervisor: CDPSupervisor
) -> None:
    assert await ending_of(supervisor, racing(supervisor), lambda: told(supervisor, news)) is None


@pytest.mark.parametrize("news", [dialog(), challenge(), CRASH, CLOSED, REPLACED])
async def test_race_without_a_tab_ends_only_with_the_browser(
    news: notices.Notice, supervisor: CDPSupervisor
) -> None:
    race = racing(supervisor, tab_id=None)
    assert await ending_of(supervisor, race, lambda: told(supervisor, news)) is None


async def test_dialog_in_a_popup_of_the_tab_interrupts_a_race(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    attach(wire, "T2", "S2", opener="T1")
    attach(wire, "T3", "S3")
    for tab_id, kind in (("t2", Interrupted), ("t3", type(None))):
        news = dialog(tab_id)
        error = await ending_of(
            supervisor, racing(supervisor), lambda news=news: told(supervisor, news)
        )
        assert type(error) is kind, tab_id


@pytest.mark.parametrize("news", [dialog(), challenge()])
async def test_race_through_dialogs_continues_when_a_dialog_opens(
    news: notices.Notice, supervisor: CDPSupervisor
) -> None:
    race = racing(supervisor, through_dialogs=True)
    assert await ending_of(supervisor, race, lambda: told(supervisor, news)) is None


async def test_race_that_replaces_its_own_tab_continues(supervisor: CDPSupervisor) -> None:
    race = racing(supervisor)
    race.outlives_replacement = True
    assert await ending_of(supervisor, race, lambda: told(supervisor, REPLACED)) is None


async def test_race_keeps_its_first_outcome_and_later_calls_fail_at_once(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    with racing(supervisor) as race:
        told(supervisor, CRASH, CLOSED)
        told(supervisor, CLOSED)
        sent = len(wire.sent)
        work = asyncio.get_running_loop().create_future()
        for call in (
            race.call(SILENT, None),
            race.raw("A.b", b"{}", None),
            race.until(lambda _: True),
            race.event(page.LoadEventFired, "S1", at_most_ms=10),
            race.finished(work),
        ):
            with pytest.raises(TargetCrashed):
                await call
        assert len(wire.sent) == sent
        assert not supervisor._audience.listeners


async def test_leaving_a_race_cancels_its_remaining_waits(supervisor: CDPSupervisor) -> None:
    with racing(supervisor) as race:
        waiting = asyncio.ensure_future(race.until(lambda _: False))
        await asyncio.sleep(0)
    with pytest.raises(BudgetExceeded, match="The action has already ended"):
        await waiting
    assert not supervisor.deadlines
    assert not supervisor._audience.observers
    assert not race._conditions


async def test_race_on_a_lost_browser_fails_at_once(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    supervisor._stopping = True
    wire.breaks("killed")
    with racing(supervisor) as race, pytest.raises(BrowserGone) as caught:
        await race.call(SILENT, None)
    assert "Tabwarden closed it" in caught.value.data["reason"]
    supervisor._stopping = False


# -- waits -----------------------------------------------------------------------------------


async def test_race_until_waits_for_a_condition_that_is_true_now_or_later(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    with racing(supervisor) as race:
        assert await race.until(lambda state: "t1" in state.tabs)
        waiting = asyncio.ensure_future(race.until(lambda state: "t2" in state.tabs))
        other = asyncio.ensure_future(race.until(lambda state: "t3" in state.tabs))
        await asyncio.sleep(0)
        attach(wire, "T2", "S2")
        assert await waiting is True
        assert not other.done()
        assert len(race._conditions) == 1
        attach(wire, "T3", "S3")
        assert await other is True
        assert not race._conditions


async def test_race_until_returns_false_if_the_condition_does_not_become_true_in_time(
    supervisor: CDPSupervisor,
) -> None:
    with racing(supervisor) as race:
        assert await race.until(lambda _: False, at_most_ms=10) is False
        assert not race._conditions
        race.raise_if_ended()


async def test_race_event_returns_the_next_event_of_its_session(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    with racing(supervisor) as race:
        waiting = asyncio.ensure_future(race.event(page.LoadEventFired, "S1", at_most_ms=LONG_MS))
        await asyncio.sleep(0)
        wire.event("Page.loadEventFired", {"timestamp": 1}, "S2")
        wire.event("Page.loadEventFired", {"timestamp": 2}, "S1")
        wire.event("Page.loadEventFired", {"timestamp": 3}, "S1")
        found = await waiting
        assert found is not None
        assert found.timestamp == 2
        assert await race.event(page.LoadEventFired, "S1", at_most_ms=10) is None
    assert not supervisor._audience.listeners


async def test_race_answered_reports_whether_a_reply_arrived_in_time(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    wire.answers["Page.reload"] = {"code": -1, "message": "no"}
    with racing(supervisor) as race:
        assert await race.answered(race.start(page.Reload(), "S1"), at_most_ms=LONG_MS)
        assert not await race.answered(race.start(SILENT, None), at_most_ms=10)


async def test_race_finished_waits_for_another_task_and_does_not_cancel_it(
    supervisor: CDPSupervisor,
) -> None:
    work: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    with racing(supervisor) as race:
        assert not await race.finished(work, at_most_ms=10)
        assert not work.cancelled()
        assert not work._callbacks  # type: ignore[attr-defined]
        asyncio.get_running_loop().call_soon(work.set_result, 1)
        assert await race.finished(work)
        assert await race.finished(work)


async def test_race_connected_waits_until_the_reconnect_completes(wire: MemoryWire) -> None:
    second = MemoryWire()
    supervisor = await supervised(wire, second)
    try:
        wire.breaks()
        assert supervisor.state.health.status == "reconnecting"
        with racing(supervisor, tab_id=None) as race:
            await race.connected()
        assert supervisor.state.health.status == "live"
    finally:
        await supervisor.stop()


async def test_race_connected_raises_when_the_reconnect_fails(wire: MemoryWire) -> None:
    supervisor = await supervised(wire, ValueError("no way back"))
    try:
        wire.breaks()
        with racing(supervisor, tab_id=None) as race, pytest.raises(BrowserGone, match="no way"):
            await race.connected()
        with pytest.raises(BrowserGone, match="no way"), racing(supervisor) as race:
            await race.connected()
    finally:
        await supervisor.stop()


async def test_command_pending_on_a_lost_connection_raises_the_reason(
    supervisor: CDPSupervisor, wire: MemoryWire
) -> None:
    supervisor._may_reconnect = lambda: False  # type: ignore[method-assign]
    with racing(supervisor) as race:
        waiting = asyncio.ensure_future(race.call(SILENT, None))
        await asyncio.sleep(0)
        wire.breaks("killed")
        with pytest.raises(BrowserGone, match="killed"):
            await waiting
        with pytest.raises(BrowserGone, match="killed"):
            await race.call(SILENT, None)


async def test_command_during_a_reconnect_fails_at_once(wire: MemoryWire) -> None:
    supervisor = await supervised(wire, MemoryWire())
    try:
        wire.breaks("cut")
        with racing(supervisor) as race, pytest.raises(BrowserGone) as caught:
            await race.call(EVALUATE, "S1")
        assert caught.value.data == {"reason": "cut", "reconnecting": True}
    finally:
        await supervisor.stop()


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        (-32601, "'Page.printToPDF' wasn't found", "does not have this feature"),
        (-32000, "Not supported", "does not have this feature"),
        (-32000, "No node with given id found", "Take a new snapshot"),
    ],
)
def test_hint_of_a_refused_command_does_not_blame_the_page_for_a_missing_feature(
    code: int, message: str, hint: str
) -> None:
    refused = CommandRefused("Page.printToPDF", ProtocolError(code, message))
    assert hint in refused.hint
