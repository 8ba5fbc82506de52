"""The driver around the machine: it attaches, reconnects, opens a guard, and stops."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from support.eventually import eventually_async
from support.memory_wire import MemoryEndpoint, MemoryWire, attach, supervised

from tabwarden.budget import Budget
from tabwarden.endpoints import OpenedEndpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.errors import BrowserGone, EndpointUnreachable, NotSupported
from tabwarden.supervisor.contexts.contexts import OwnContext
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import Policy
from tabwarden.supervisor.runtime import CDPSupervisor

pytestmark = pytest.mark.anyio


class Guarded(MemoryEndpoint):
    """An endpoint that accepts a second connection."""

    capabilities = Capabilities(guard_session=True)


async def guarded(*wires: MemoryWire | Exception) -> CDPSupervisor:
    """A supervisor with one ready tab and, if its endpoint accepts one, a guard."""
    supervisor = CDPSupervisor("task", Guarded(*wires), Policy())
    await supervisor.start(Budget(5_000))
    assert isinstance(wires[0], MemoryWire)
    attach(wires[0])
    await eventually_async(
        lambda: any(tab.status == "ready" for tab in supervisor.state.tabs.values())
    )
    return supervisor


# -- lifecycle -------------------------------------------------------------------------------


async def test_supervisor_has_no_connection_before_start() -> None:
    supervisor = CDPSupervisor("task", MemoryEndpoint(), Policy())
    with pytest.raises(BrowserGone, match="not connected"):
        _ = supervisor.connection
    supervisor.feed(inputs.Connected(owned=False))  # its commands are not sent
    await supervisor.stop()


async def test_supervisor_reports_a_browser_that_crashes_during_startup_as_unreachable(
    wire: MemoryWire,
) -> None:
    wire.silent.add("Browser.getVersion")
    supervisor = CDPSupervisor("task", MemoryEndpoint(wire), Policy())
    starting = asyncio.ensure_future(supervisor.start(Budget(5_000)))
    await eventually_async(lambda: "Browser.getVersion" in wire.methods())
    wire.breaks("it crashed")
    with pytest.raises(EndpointUnreachable, match="it crashed"):
        await starting
    assert supervisor.state.health.status == "gone"


async def test_canceled_supervisor_start_closes_its_connection(wire: MemoryWire) -> None:
    wire.silent.add("Browser.getVersion")
    supervisor = CDPSupervisor("task", MemoryEndpoint(wire), Policy())
    starting = asyncio.ensure_future(supervisor.start(Budget(5_000)))
    await eventually_async(lambda: "Browser.getVersion" in wire.methods())
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert supervisor.connection.lost == "closed by us"
    await supervisor.stop()


async def test_stopping_the_supervisor_cancels_its_background_tasks(wire: MemoryWire) -> None:
    supervisor = await supervised(wire)
    beside = supervisor.spawn(asyncio.sleep(600))
    await supervisor.stop()
    assert beside.cancelled()
    assert not supervisor._background
    assert supervisor.snapshot().health.status == "gone"


# -- events ----------------------------------------------------------------------------------


async def test_each_listener_receives_events_until_it_unsubscribes(wire: MemoryWire) -> None:
    supervisor = await supervised(wire)
    heard: list[str] = []
    ends = [
        supervisor.listen("Some.event", "S1", lambda _, name=name: heard.append(name))  # type: ignore[misc]
        for name in "ab"
    ]
    wire.event("Some.event", {}, "S1")
    ends[0]()
    wire.event("Some.event", {}, "S1")
    wire.event("Some.event", {}, "S2")
    ends[1]()
    wire.event("Some.event", {}, "S1")
    assert heard == ["a", "b", "b"]
    assert not supervisor._audience.listeners
    await supervisor.stop()


async def test_watchdog_dismisses_a_dialog_at_its_timeout(wire: MemoryWire) -> None:
    supervisor = await supervised(wire, policy=Policy(dialog_timeout_s=0.02))
    supervisor.feed(inputs.AgentActed("t1"))  # in another client's tab
    wire.event(
        "Page.javascriptDialogOpening",
        {
            "url": "", "frameId": "T1", "message": "?", "type": "confirm",
            "hasBrowserHandler": False,
        },
        "S1",
    )  # fmt: skip
    assert supervisor.state.pending_dialogs
    await eventually_async(lambda: not supervisor.state.pending_dialogs)
    (closed,) = supervisor.state.recent_dialogs
    assert (closed.closed_by, closed.accepted) == ("watchdog", False)
    answers = [one for one in wire.sent if one["method"] == "Page.handleJavaScriptDialog"]
    assert [one["params"] for one in answers] == [{"accept": False}]
    assert supervisor._alarm.at is None
    await supervisor.stop()


async def test_supervisor_sends_heartbeats_over_an_idle_wire(wire: MemoryWire) -> None:
    class Drowsy(MemoryEndpoint):
        async def open(self, budget: Budget) -> OpenedEndpoint:
            opened = await super().open(budget)
            opened.heartbeat_s = 0.001
            return opened

    supervisor = CDPSupervisor("task", Drowsy(wire, wire), Policy())
    await supervisor.start(Budget(5_000))
    await eventually_async(lambda: wire.methods().count("Browser.getVersion") > 5)
    await supervisor.stop()
    sent = len(wire.sent)
    await asyncio.sleep(0.02)
    assert len(wire.sent) == sent


# -- a lost connection -----------------------------------------------------------------------


async def test_supervisor_reconnects_again_when_the_second_wire_breaks(
    wire: MemoryWire,
) -> None:
    broken, last = MemoryWire(), MemoryWire()
    broken.silent.add("Target.getTargets")
    supervisor = await supervised(wire, broken, last)
    wire.breaks()
    await eventually_async(lambda: "Target.getTargets" in broken.methods())
    assert supervisor.state.health.status == "live"
    broken.breaks("cut again")
    assert supervisor.state.health.status == "reconnecting"
    await eventually_async(lambda: supervisor.connection.lost is None)
    await eventually_async(lambda: "Target.getTargets" in last.methods())
    assert supervisor.state.health.status == "live"
    await supervisor.stop()


async def test_failed_reconnect_reports_both_the_loss_and_the_failure(
    wire: MemoryWire,
) -> None:
    supervisor = await supervised(wire, BrowserGone("No browser any more.", reason="moved"))
    wire.breaks("cut")
    await eventually_async(lambda: supervisor.state.health.status == "gone")
    reason = supervisor.state.health.reason
    assert reason is not None
    assert reason.startswith("cut; reconnecting failed: ")
    assert "No browser any more." in reason
    await supervisor.stop()


async def test_supervisor_ignores_a_late_close_of_the_old_wire(wire: MemoryWire) -> None:
    second = MemoryWire()
    supervisor = await supervised(wire, second)
    old = supervisor.connection
    wire.breaks()
    await eventually_async(lambda: supervisor.state.health.status == "live")
    supervisor._on_close(old, "once more")
    assert supervisor.state.health.status == "live"
    await supervisor.stop()


# -- the guard -------------------------------------------------------------------------------


async def test_guard_watches_each_page_and_answers_when_the_wire_is_lost() -> None:
    wire, guard, second = MemoryWire(), MemoryWire(), MemoryWire()
    guard.answers["Target.attachToTarget"] = {"sessionId": "G1"}
    supervisor = await guarded(wire, guard, second)
    await eventually_async(
        lambda: supervisor.guard_post.guard is not None and supervisor.guard_post.guard.targets
    )
    assert guard.methods() == ["Target.attachToTarget", "Page.enable"]
    wire.event(
        "Page.javascriptDialogOpening",
        {
            "url": "", "frameId": "T1", "message": "?", "type": "confirm",
            "hasBrowserHandler": False,
        },
        "S1",
    )  # fmt: skip
    wire.breaks("cut")
    (waits,) = supervisor.state.pending_dialogs
    assert waits.guarded
    supervisor.feed(inputs.AnswerDialog(waits.id, True, None))
    assert guard.methods()[-1] == "Page.handleJavaScriptDialog"
    assert guard.sent[-1]["sessionId"] == "G1"
    await eventually_async(lambda: not supervisor.state.pending_dialogs)
    await supervisor.stop()


async def test_guard_stops_watching_a_closed_page_and_ignores_other_events() -> None:
    wire, guard = MemoryWire(), MemoryWire()
    guard.answers["Target.attachToTarget"] = {"sessionId": "G1"}
    supervisor = await guarded(wire, guard)
    await eventually_async(
        lambda: supervisor.guard_post.guard is not None and supervisor.guard_post.guard.targets
    )
    assert supervisor.guard_post.guard is not None
    guard.event("Target.detachedFromTarget", {"sessionId": "G9"})
    guard.event("Target.detachedFromTarget", {"sessionId": 7})
    guard.event("Page.loadEventFired", {"timestamp": 1}, "G1")
    assert supervisor.guard_post.guard.targets == {"T1"}
    supervisor.guard_post.guard.watch("T1")
    assert guard.methods().count("Target.attachToTarget") == 1
    guard.event("Target.detachedFromTarget", {"sessionId": "G1"})
    assert not supervisor.guard_post.guard.targets
    await supervisor.stop()


async def test_losing_the_guard_connection_does_not_end_the_task() -> None:
    wire, guard = MemoryWire(), MemoryWire()
    guard.answers["Target.attachToTarget"] = {"sessionId": "G1"}
    supervisor = await guarded(wire, guard)
    await eventually_async(
        lambda: supervisor.guard_post.guard is not None and supervisor.guard_post.guard.targets
    )
    guard.breaks("one client is enough")
    assert supervisor.guard_post.guard is None
    assert supervisor.state.health.status == "live"
    await supervisor.stop()


async def test_single_client_endpoint_gets_no_guard_connection() -> None:
    wire = MemoryWire()
    supervisor = await guarded(wire, EndpointUnreachable("One client at a time."))
    await eventually_async(lambda: not supervisor._background)
    assert supervisor.guard_post.guard is None
    assert supervisor.state.health.status == "live"
    await supervisor.stop()


# -- the task's own context ------------------------------------------------------------------


async def test_supervisor_rejects_a_browser_that_cannot_create_contexts(wire: MemoryWire) -> None:
    wire.answers["Target.createBrowserContext"] = {"code": -32000, "message": "Not allowed"}
    supervisor = CDPSupervisor("task", MemoryEndpoint(wire), Policy(), OwnContext())
    with pytest.raises(NotSupported, match="Not allowed"):
        await supervisor.start(Budget(5_000))
    assert supervisor.connection.lost is not None


async def test_canceled_supervisor_start_disposes_of_the_context_it_was_creating(
    wire: MemoryWire,
) -> None:
    wire.silent.add("Target.createBrowserContext")
    supervisor = CDPSupervisor("task", MemoryEndpoint(wire), Policy(), OwnContext())
    starting = asyncio.ensure_future(supervisor.start(Budget(5_000)))
    await eventually_async(lambda: "Target.createBrowserContext" in wire.methods())
    starting.cancel()
    await asyncio.sleep(0)
    made = next(one for one in wire.sent if one["method"] == "Target.createBrowserContext")
    wire.tell({"id": made["id"], "result": {"browserContextId": "ABCDEF0123456789"}})
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    disposed = [one for one in wire.sent if one["method"] == "Target.disposeBrowserContext"]
    assert [one["params"] for one in disposed] == [{"browserContextId": "ABCDEF0123456789"}]


async def test_repeated_tab_query_replaces_an_unanswered_query(
    wire: MemoryWire,
) -> None:
    supervisor = await supervised(wire)
    wire.silent.add("Target.getTargets")
    at_rest = supervisor.connection.in_flight
    for _ in range(3):
        supervisor.feed(inputs.LookAtTabs())
    assert supervisor.connection.in_flight == at_rest + 1
    wire.silent.clear()
    supervisor.feed(inputs.LookAtTabs())
    await eventually_async(lambda: supervisor.connection.in_flight == at_rest)
    await supervisor.stop()
