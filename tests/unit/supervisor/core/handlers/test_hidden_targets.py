"""Hidden pages never become tabs, in any order of their creation events."""

from __future__ import annotations

from support.machine_kit import Play

from tabwarden.supervisor.core.handlers.hidden_targets import BackstageCreated
from tabwarden.supervisor.core.state import inputs


def opening() -> Play:
    play = Play.connected()
    play.open_page()
    play.give(inputs.OpenBackstage("b-1"))
    return play


def created(play: Play, target_id: str = "B", key: str = "b-1") -> None:
    play.reply(BackstageCreated(key), {"targetId": target_id})


def test_hidden_page_attached_before_its_creation_reply_becomes_no_tab() -> None:
    play = opening()
    play.attach("B", "SB", url="")
    play.attach("T2", "S2", url="")
    assert list(play.state.tabs) == ["t1"]
    created(play)
    assert list(play.state.tabs) == ["t1", "t2"]
    assert play.state.tabs["t2"].target_id == "T2"
    assert play.sent("SB") == ["Runtime.runIfWaitingForDebugger"]
    assert play.state.held_pages == ()


def test_hidden_page_attached_after_its_creation_reply_becomes_no_tab() -> None:
    play = opening()
    created(play)
    play.attach("B", "SB")
    assert list(play.state.tabs) == ["t1"]
    assert play.sent("SB") == ["Runtime.runIfWaitingForDebugger"]


def test_popup_becomes_a_tab_while_a_hidden_page_is_being_created() -> None:
    play = opening()
    play.attach("T2", "S2", opener="T1")
    assert list(play.state.tabs) == ["t1", "t2"]


def test_held_page_becomes_a_tab_when_the_browser_rejects_the_hidden_page() -> None:
    play = opening()
    play.attach("T2", "S2", url="")
    play.reply(BackstageCreated("b-1"), error="no")
    assert list(play.state.tabs) == ["t1", "t2"]
    assert play.state.backstage == {}


def test_hidden_page_closed_before_its_creation_reply_is_closed_on_arrival() -> None:
    play = opening()
    play.give(inputs.CloseBackstage("b-1"))
    play.attach("B", "SB", url="")
    created(play)
    assert play.sent(None)[-1] != "Target.createTarget"
    assert "Target.closeTarget" in play.sent(None)


def test_state_machine_creates_two_hidden_pages_at_once() -> None:
    play = opening()
    play.give(inputs.OpenBackstage("b-2"))
    play.attach("B", "SB", url="")
    play.attach("T2", "S2", url="")
    play.attach("C", "SC", url="")
    created(play, "B", "b-1")
    assert list(play.state.tabs) == ["t1"]
    created(play, "C", "b-2")
    assert [tab.target_id for tab in play.state.tabs.values()] == ["T1", "T2"]
    assert dict(play.state.backstage) == {"b-1": "B", "b-2": "C"}


def test_state_machine_leaves_a_hidden_pages_requests_to_its_action() -> None:
    play = opening()
    created(play)
    info = {"targetId": "B", "type": "other", "title": "", "url": "", "attached": True,
            "canAccessOpener": False}  # fmt: skip
    told = {"sessionId": "SB", "targetInfo": info, "waitingForDebugger": False}
    play.event("Target.attachedToTarget", told)
    assert play.sent("SB") == []
    paused = {"requestId": "i", "frameId": "B", "resourceType": "Document",
              "request": {"url": "https://a.test/", "method": "GET", "headers": {},
                          "initialPriority": "High", "referrerPolicy": "origin"}}  # fmt: skip
    play.event("Fetch.requestPaused", paused, "SB")
    assert play.sent("SB") == []
    play.event("Fetch.requestPaused", paused, "S1")
    assert play.sent("S1")[-1] == "Fetch.continueRequest"
    play.give(inputs.CloseBackstage("b-1"))
    assert play.state.backstage_sessions == {}


def test_page_that_closes_while_held_becomes_no_tab() -> None:
    play = opening()
    play.attach("T2", "S2", url="")
    play.detach("S2")
    created(play)
    assert list(play.state.tabs) == ["t1"]
