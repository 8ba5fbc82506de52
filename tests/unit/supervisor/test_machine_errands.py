"""Errands: targets of our own that no agent sees, whatever else opens meanwhile."""

from __future__ import annotations

import pytest
from machine_kit import Play

from tabwarden.supervisor import machine as m
from tabwarden.supervisor.errands import ErrandAttached, ErrandCreated
from tabwarden.supervisor.notices import SessionDetached, TabOpened


def info(target_id: str, *, opener: str | None = None, kind: str = "page") -> dict[str, object]:
    given = {
        "targetId": target_id, "type": kind, "title": "", "url": "", "attached": True,
        "canAccessOpener": False,
    }  # fmt: skip
    return {**given, "openerId": opener} if opener else given


def told(play: Play, target_id: str, session_id: str, *, waits: bool = True, **more: str) -> None:
    play.event(
        "Target.attachedToTarget",
        {
            "sessionId": session_id,
            "targetInfo": info(target_id, **more),
            "waitingForDebugger": waits,
        },
    )


@pytest.fixture
def begun(one_tab: Play) -> Play:
    one_tab.commands.clear()
    one_tab.notices.clear()
    one_tab.give(m.BeginErrand("k"))
    return one_tab


def run(play: Play) -> None:
    told(play, "E", "SA")
    play.reply(ErrandCreated("k"), {"targetId": "E"})
    told(play, "E", "SE", waits=False)
    play.reply(ErrandAttached("k"), {"sessionId": "SE"})


def test_an_errand_is_no_tab_and_leaves_none(begun: Play) -> None:
    run(begun)
    assert begun.state.errand_sessions == {"SE": "k"}
    assert list(begun.state.tabs) == ["t1"]
    assert begun.sent("SA") == ["Runtime.runIfWaitingForDebugger"]
    begun.give(m.EndErrand("k"))
    assert begun.sent(None)[-1] == "Target.closeTarget"
    assert not begun.state.errands
    assert not begun.state.errand_sessions
    assert not begun.notices
    assert begun.state.next_tab == 2


def test_a_hidden_target_that_nobody_was_attached_to(begun: Play) -> None:
    begun.reply(ErrandCreated("k"), {"targetId": "E"})
    told(begun, "E", "SE", waits=False, kind="other")  # what full Chromium calls it
    begun.reply(ErrandAttached("k"), {"sessionId": "SE"})
    assert begun.state.errand_sessions == {"SE": "k"}
    assert begun.sent("SE") == []


def test_a_page_that_nobody_opened_is_held_until_the_browser_says_which_is_ours(
    begun: Play,
) -> None:
    told(begun, "X", "SX")
    told(begun, "P", "SP", opener="T1")
    assert list(begun.state.tabs) == ["t1", "t2"]
    assert begun.sent("SX") == []
    run(begun)
    assert [t.target_id for t in begun.state.tabs.values()] == ["T1", "P", "X"]
    assert begun.sent("SX")[-1] == "Runtime.runIfWaitingForDebugger"
    assert [n.tab_id for n in begun.notices if isinstance(n, TabOpened)] == ["t2", "t3"]
    assert begun.state.held_targets == ()


def test_two_errands_at_once(begun: Play) -> None:
    begun.give(m.BeginErrand("j"))
    told(begun, "J", "SJ")
    run(begun)
    assert list(begun.state.tabs) == ["t1"]
    begun.reply(ErrandCreated("j"), {"targetId": "J"})
    assert list(begun.state.tabs) == ["t1"]
    assert begun.sent("SJ") == ["Runtime.runIfWaitingForDebugger"]


def test_an_errand_that_ends_before_it_began_is_closed_all_the_same(begun: Play) -> None:
    begun.give(m.EndErrand("k"))
    told(begun, "E", "SA")
    begun.reply(ErrandCreated("k"), {"targetId": "E"})
    assert list(begun.state.tabs) == ["t1"]
    assert begun.sent(None)[-1] == "Target.closeTarget"
    assert not begun.state.errands


def test_one_that_the_browser_refuses_holds_nobody(begun: Play) -> None:
    told(begun, "X", "SX")
    begun.reply(ErrandCreated("k"), error="no more targets")
    assert [t.target_id for t in begun.state.tabs.values()] == ["T1", "X"]
    assert not begun.state.errands


def test_a_crash_of_it_is_told_to_whoever_waits(begun: Play) -> None:
    run(begun)
    begun.event("Target.detachedFromTarget", {"sessionId": "SE"})
    assert [n.session_id for n in begun.notices if isinstance(n, SessionDetached)] == ["SE"]
    assert not begun.state.errands


def test_its_requests_are_left_to_whoever_runs_it(begun: Play) -> None:
    run(begun)
    begun.commands.clear()
    request = {
        "url": "https://a.test/", "method": "GET", "headers": {}, "initialPriority": "High",
        "referrerPolicy": "no-referrer",
    }  # fmt: skip
    paused = {"requestId": "1", "request": request, "frameId": "E", "resourceType": "Document"}
    begun.event("Fetch.requestPaused", paused, "SE")
    assert begun.commands == []
    begun.event("Fetch.requestPaused", paused, "S1")
    assert begun.sent("S1") == ["Fetch.continueRequest"]


def test_what_is_left_of_one_after_a_reconnect_is_closed_and_never_a_tab(begun: Play) -> None:
    run(begun)
    begun.give(m.Disconnected("cut", reconnecting=True))
    begun.give(m.EndErrand("k"))
    begun.commands.clear()
    begun.give(m.Connected())
    assert "Target.closeTarget" in begun.sent(None)
    told(begun, "E", "SB")
    assert list(begun.state.tabs) == ["t1"]
    begun.event("Target.targetDestroyed", {"targetId": "E"})
    assert not begun.state.errands
