"""The debugger bridge: which pauses are dialogs, how they are answered, and no forgery."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.machine_kit import HOME, Play, hash_in

from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.handlers.bridge import (
    LeftToNative,
    OwnerAsked,
    OwnerDescribed,
    RequestRead,
)
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import BridgeMode, DialogPolicy, Policy
from tabwarden.supervisor.runtime import fresh_bridge

FAMILY = b"of one user"
BRIDGE = fresh_bridge(BridgeMode.DEBUGGER, FAMILY)
KIN = fresh_bridge(BridgeMode.AUTO, FAMILY)
STRANGER = fresh_bridge(BridgeMode.AUTO, b"of another")
SILENT_KIN = fresh_bridge(BridgeMode.XHR, FAMILY)


class Bridged(Play):
    """A machine with a bridge, one ready tab, and the bridge's script in its document."""

    @classmethod
    def open(cls, policy: str = "must_respond") -> Bridged:
        play = cls(Policy(bridge=BRIDGE, dialog_policy=DialogPolicy(policy)))
        play.give(inputs.Connected())
        play.open_page()
        play.parsed("7")
        return play

    def parsed(self, script_id: str, on: str = "S1", **about: Any) -> None:
        target_id = self.state.sessions[on].target_id
        params = {
            "scriptId": script_id, "url": BRIDGE.name, "startLine": 0, "startColumn": 0,
            "endLine": 9, "endColumn": 0, "executionContextId": 1, "buildId": "",
            "hash": hash_in(BRIDGE, target_id),
            "executionContextAuxData": {"frameId": "shared", "isDefault": True},
        }  # fmt: skip
        self.event("Debugger.scriptParsed", {**params, **about}, on)

    def paused(self, script_id: str = "7", on: str = "S1", *, context: int = 1) -> None:
        place = {"scriptId": script_id, "lineNumber": 1, "columnNumber": 1}
        frame = {
            "callFrameId": f"{script_id}.{context}.0", "functionName": "ask",
            "location": place, "url": "", "scopeChain": [], "this": {"type": "undefined"},
        }  # fmt: skip
        self.event("Debugger.paused", {"callFrames": [frame], "reason": "other"}, on)

    def asks(
        self, kind: str = "confirm", message: str = "Sure?", initial: str = "", **about: Any
    ) -> None:
        """The request is read from the paused frame."""
        ask = self.last_ask(RequestRead)
        request = {"type": kind, "message": message, "initial": initial, "url": HOME}
        value = json.dumps(request | about)
        self.reply(ask, {"result": {"type": "string", "value": value}})

    def last_ask(self, kind: type[Any]) -> Any:
        return next(s.ask for s in reversed(self.commands) if isinstance(s.ask, kind))

    def last(self) -> Any:
        return self.commands[-1].command


@pytest.fixture
def play() -> Bridged:
    return Bridged.open()


def test_state_machine_installs_the_bridge_before_the_first_script(play: Bridged) -> None:
    sent = play.sent("S1")
    assert sent[-1] == "Runtime.runIfWaitingForDebugger"
    added = sent.index("Page.addScriptToEvaluateOnNewDocument")
    assert sent.index("Debugger.enable") < sent.index("Debugger.setBlackboxPatterns") < added


def test_debugger_pause_in_the_bridge_opens_a_dialog(play: Bridged) -> None:
    play.paused()
    assert play.state.pending_dialogs == ()
    play.asks("prompt", "Name?", "Ada")
    (dialog,) = play.state.pending_dialogs
    assert (dialog.type, dialog.message, dialog.default_prompt) == ("prompt", "Name?", "Ada")
    assert (dialog.channel, dialog.frame_id, dialog.held_by) == ("debugger", "T1", "7.1.0")


def test_state_machine_distinguishes_frames_that_share_a_script_by_execution_context(
    play: Bridged,
) -> None:
    play.frame_attached("F")
    play.context(1)
    play.context(2, "F")
    play.context(3, "F", world="tabwarden")
    for context, frame_id in ((2, "F"), (1, "T1"), (9, "T1")):  # 9: its document is gone
        play.paused(context=context)
        assert play.last_ask(RequestRead).frame_id == frame_id


def test_state_machine_distinguishes_equal_context_ids_of_two_processes(play: Bridged) -> None:
    play.context(2)
    play.oopif()
    play.parsed("7", "SF")
    play.context(2, "F", on="SF")
    play.paused(on="SF", context=2)
    assert play.last_ask(RequestRead).frame_id == "F"


def test_machine_sets_the_answer_before_it_resumes_the_page(play: Bridged) -> None:
    play.paused()
    play.asks()
    play.answer("d-1", accept=True)
    assert play.last().METHOD == "Debugger.evaluateOnCallFrame"
    assert "accept: true" in play.last().expression
    assert play.state.pending_dialogs
    play.reply(play.dialog_ask(), {"result": {"type": "undefined"}})
    assert play.last().METHOD == "Debugger.resume"
    play.event("Debugger.resumed", {}, "S1")
    (closed,) = play.state.recent_dialogs
    assert (closed.closed_by, closed.accepted, closed.channel) == ("agent", True, "debugger")


def test_debugger_pause_that_ends_by_itself_closes_its_dialog(play: Bridged) -> None:
    play.paused()
    play.asks()
    play.event("Debugger.resumed", {}, "S1")
    (closed,) = play.state.recent_dialogs
    assert (closed.closed_by, closed.accepted) == ("remote", None)


@pytest.mark.parametrize(
    "about",
    [{"url": "other.js"}, {"hash": "0" * 64}],
)
def test_state_machine_resumes_a_pause_in_any_other_script_without_a_dialog(
    about: dict[str, Any], play: Bridged
) -> None:
    play.parsed("8", **about)
    play.paused("8")
    assert play.last().METHOD == "Debugger.resume"
    assert play.state.pending_dialogs == ()


def test_debugger_pause_in_another_supervisors_bridge_also_opens_a_dialog(play: Bridged) -> None:
    assert KIN is not None
    play.parsed("8", url=KIN.name, hash=hash_in(KIN))
    play.paused("8")
    play.asks("prompt", "Name?")
    (dialog,) = play.state.pending_dialogs
    assert (dialog.message, dialog.of_kin) == ("Name?", True)
    play.answer(dialog.id, accept=True)
    assert play.last().METHOD == "Debugger.evaluateOnCallFrame"
    play.reply(play.dialog_ask(), {"result": {"type": "undefined"}})
    assert play.last().METHOD == "Debugger.resume"


def test_dialog_answered_by_another_supervisor_closes_without_a_command(play: Bridged) -> None:
    assert KIN is not None
    play.parsed("8", url=KIN.name, hash=hash_in(KIN))
    play.paused("8")
    play.asks()
    sent = len(play.commands)
    play.event("Debugger.resumed", {}, "S1")
    (closed,) = play.state.recent_dialogs
    assert (closed.closed_by, closed.accepted) == ("remote", None)
    assert len(play.commands) == sent  # the answer that a page waits for is the other supervisor's


@pytest.mark.parametrize(
    "about",
    [
        {"url": STRANGER.name, "hash": hash_in(STRANGER)},
        {"url": SILENT_KIN.name, "hash": hash_in(SILENT_KIN)},
        {"url": KIN.name, "hash": "0" * 64},
        {"url": KIN.name, "hash": hash_in(KIN, "T2")},
        {"url": KIN.name, "hash": hash_in(STRANGER)},
        {"url": STRANGER.name, "hash": hash_in(KIN)},
        {"url": f"x{KIN.name}", "hash": hash_in(KIN)},
    ],
)
def test_state_machine_resumes_a_pause_in_a_foreign_or_forged_bridge_without_a_dialog(
    about: dict[str, Any], play: Bridged
) -> None:
    play.parsed("8", **about)
    play.paused("8")
    assert play.last().METHOD == "Debugger.resume"
    assert not play.state.sessions["S1"].asking


@pytest.mark.parametrize(
    ("result", "error"), [({"result": {"type": "string", "value": "no"}}, None), (None, "gone")]
)
def test_state_machine_resumes_the_page_when_the_request_cannot_be_read(
    result: dict[str, Any] | None, error: str | None, play: Bridged
) -> None:
    play.paused()
    for _ in range(4):
        assert play.last().METHOD == "Debugger.evaluateOnCallFrame"
        play.reply(play.last_ask(RequestRead), result, error)
    assert play.last().METHOD == "Debugger.resume"
    assert play.state.pending_dialogs == ()


def reads(play: Bridged) -> int:
    return sum(isinstance(command.ask, RequestRead) for command in play.commands)


def test_state_machine_reads_a_request_again_when_the_reply_is_lost(play: Bridged) -> None:
    play.paused()
    due = m.next_deadline(play.state)
    assert due is not None
    play.tick_at(due - 0.01)
    assert reads(play) == 1
    play.tick_at(due)
    assert reads(play) == 2
    late = play.last_ask(RequestRead)
    play.asks(message="Sure?")
    (dialog,) = play.state.pending_dialogs
    assert dialog.message == "Sure?"
    play.reply(late, {"result": {"type": "string", "value": "of no use"}})  # it was late, not lost
    assert play.state.pending_dialogs == (dialog,)
    assert "Debugger.resume" not in play.sent("S1")
    assert reads(play) == 2
    play.tick_at(due + 60)
    assert m.next_deadline(play.state) is None or play.state.read_again_at is None


def test_machine_stops_reading_a_request_after_four_attempts(play: Bridged) -> None:
    play.paused()
    for _ in range(10):
        due = play.state.read_again_at
        if due is None:
            break
        play.tick_at(due)
    assert reads(play) == 4
    assert play.state.read_again_at is None


def test_state_machine_rereads_requests_of_two_pages_at_separate_deadlines(play: Bridged) -> None:
    play.open_page("T2", "S2")
    play.parsed("9", "S2")
    play.paused()
    first = play.state.read_again_at
    assert first is not None
    play.tick_at(first - 0.1)
    play.paused("9", "S2")
    assert play.state.read_again_at == first
    play.tick_at(first)
    asked = [command.ask.session_id for command in play.commands
             if isinstance(command.ask, RequestRead)]  # fmt: skip
    assert asked == ["S1", "S2", "S1"]
    second = play.state.read_again_at
    assert second is not None
    assert first < second < first + 0.4
    play.tick_at(second)
    assert play.last_ask(RequestRead).session_id == "S2"


def test_machine_stops_reading_a_request_when_the_pause_ends(play: Bridged) -> None:
    play.paused()
    due = m.next_deadline(play.state)
    assert due is not None
    late = play.last_ask(RequestRead)
    play.event("Debugger.resumed", {}, "S1")
    play.tick_at(due)
    assert reads(play) == 1
    sent = len(play.commands)
    request = {"type": "confirm", "message": "Sure?", "initial": "", "url": HOME}
    play.reply(late, {"result": {"type": "string", "value": json.dumps(request)}})
    assert play.state.pending_dialogs == ()
    assert len(play.commands) == sent


@pytest.mark.parametrize(
    ("attributes", "opens"),
    [
        ([], True),
        (["sandbox", "allow-scripts"], False),
        (["sandbox", "allow-scripts ALLOW-MODALS"], True),
        (["src", "x", "sandbox", ""], False),
    ],
)
def test_frame_opens_a_dialog_only_if_every_ancestor_iframe_allows_modals(
    attributes: list[str], opens: bool, play: Bridged
) -> None:
    play.frame_attached("F")
    play.frame_attached("G", parent="F")
    play.context(2, "G")
    play.paused(context=2)
    play.asks()
    for owned in ("G", "F"):
        assert play.last().frame_id == owned
        play.reply(play.last_ask(OwnerAsked), {"backendNodeId": 5})
        inner = {"nodeId": 0, "backendNodeId": 5, "nodeType": 1, "nodeName": "IFRAME",
                 "localName": "iframe", "nodeValue": ""}  # fmt: skip
        told = {**inner, "attributes": attributes if owned == "F" else []}
        play.reply(play.last_ask(OwnerDescribed), {"node": told})
    assert bool(play.state.pending_dialogs) is opens
    if not opens:
        assert "native: true" in play.last().expression


@pytest.mark.parametrize(
    ("attributes", "opens"),
    [
        ([], False),
        (["sandbox", "allow-scripts allow-modals"], True),
        (["sandbox", "allow-scripts allow-modals allow-same-origin"], False),
    ],
)
def test_document_with_an_unexplained_opaque_origin_gets_the_native_dialog(
    attributes: list[str], opens: bool, play: Bridged
) -> None:
    play.frame_attached("F")
    play.context(2, "F")
    play.paused(context=2)
    play.asks(opaque=True)
    play.reply(play.last_ask(OwnerAsked), {"backendNodeId": 5})
    element = {"nodeId": 0, "backendNodeId": 5, "nodeType": 1, "nodeName": "IFRAME",
               "localName": "iframe", "nodeValue": "", "attributes": attributes}  # fmt: skip
    play.reply(play.last_ask(OwnerDescribed), {"node": element})
    assert bool(play.state.pending_dialogs) is opens
    if not opens:
        assert "native: true" in play.last().expression


def test_document_sandboxed_by_its_csp_gets_the_native_dialog(
    play: Bridged,
) -> None:
    play.paused()
    play.asks(opaque=True)
    assert "native: true" in play.last().expression
    play.reply(play.last_ask(LeftToNative), {"result": {"type": "undefined"}})
    assert play.last().METHOD == "Debugger.resume"
    assert play.state.pending_dialogs == ()


def test_dialog_policy_answers_debugger_dialogs() -> None:
    play = Bridged.open("auto_accept")
    play.paused()
    play.asks("prompt", initial="was")
    assert 'accept: true, text: "was"' in play.last().expression


def test_removing_a_frame_or_document_closes_its_debugger_dialog(play: Bridged) -> None:
    play.frame_attached("F")
    play.context(2, "F")
    play.paused(context=2)
    play.asks()
    play.reply(play.last_ask(OwnerAsked), error="no owner")
    assert len(play.state.pending_dialogs) == 1
    play.frame_detached("F")
    assert play.state.pending_dialogs == ()
    play.paused()
    play.asks()
    play.navigated(loader="L9")
    assert play.state.pending_dialogs == ()


def test_native_and_debugger_dialogs_can_be_open_at_the_same_time(play: Bridged) -> None:
    play.paused()
    play.asks()
    play.dialog("beforeunload", "")
    assert [d.channel for d in play.state.pending_dialogs] == ["debugger", "native"]
    play.dialog_closed(result=False)
    assert [d.channel for d in play.state.pending_dialogs] == ["debugger"]


def test_state_machine_does_not_enable_the_debugger_without_a_bridge(one_tab: Play) -> None:
    assert not [method for method in one_tab.sent("S1") if method.startswith("Debugger")]
    one_tab.event("Debugger.paused", {"callFrames": [], "reason": "other"}, "S1")
    assert one_tab.sent("S1")[-1] == "Debugger.resume"


def test_debugger_pause_reported_twice_opens_one_dialog(play: Bridged) -> None:
    play.paused()
    play.asks()
    play.paused()
    play.asks()
    assert [dialog.id for dialog in play.state.pending_dialogs] == ["d-1"]
    assert play.state.recent_dialogs == ()


def test_after_a_reconnect_the_state_machine_makes_a_paused_page_open_a_native_dialog(
    play: Bridged,
) -> None:
    play.paused()
    play.give(inputs.Disconnected("cut", reconnecting=True))
    play.give(inputs.Connected())
    play.attach("T1", "S2")
    play.attach("T1", "S3")
    words = [s for s in play.commands if s.command.METHOD == "Network.setCookie"]
    assert [(w.session_id, w.command.value, w.command.url) for w in words] == [
        ("S2", "native", HOME)
    ]
