"""In any order of events the machine never raises, loses a dialog or leaves a target held."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from support.fuzzing import FUZZ
from support.machine_kit import Play, frame, hash_in, target_info, tree

from tabwarden.protocol import fetch, runtime, target
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.handlers import bridge
from tabwarden.supervisor.core.handlers.debugging import Armed
from tabwarden.supervisor.core.handlers.dialogs import DialogAnswered
from tabwarden.supervisor.core.handlers.frames import FrameTreeAsked
from tabwarden.supervisor.core.handlers.set_up import SetUp
from tabwarden.supervisor.core.handlers.targets import ReplacementCreated
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.changes import CHANGES_KEPT, Change
from tabwarden.supervisor.core.state.dialog_values import RECENT_DIALOGS
from tabwarden.supervisor.core.state.notices import DialogClosed, DialogOpened
from tabwarden.supervisor.core.state.policy import BridgeMode, Policy
from tabwarden.supervisor.core.state.transition import Now
from tabwarden.supervisor.runtime import fresh_bridge

BRIDGE = fresh_bridge(BridgeMode.DEBUGGER)
AUTO = fresh_bridge(BridgeMode.AUTO)
LET_GO = (fetch.FulfillRequest, fetch.ContinueRequest, fetch.FailRequest)
URLS = st.sampled_from(["https://a.test/", "https://b.test/x", "about:blank", "http://[", ""])
ASKS = (bridge.RequestRead, bridge.OwnerAsked, bridge.OwnerDescribed)
SCRIPTS = st.sampled_from(["7", "8"])
TARGETS = st.sampled_from(["T1", "T2", "T3", "F1", "F2"])
SESSIONS = st.sampled_from(["S1", "S2", "S3", "SF1", "SF2", "nobody", None])
FRAMES = st.sampled_from(["T1", "T2", "T3", "F1", "F2", "F3", "F4"])
DIALOG_IDS = st.integers(1, 30).map("d-{}".format)
TAB_IDS = st.sampled_from(["t1", "t2", "t3", "t9"])
GARBAGE = st.sampled_from([b"{}", b"[]", b"null", b"nonsense", b'{"frameId":7}', b""])
POLICIES = st.sampled_from(["must_respond", "auto_dismiss", "auto_accept"])


class AnyOrder(RuleBasedStateMachine):
    """The browser, the agent and the clock, each acting at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.play = Play.connected()
        self.frozen = b""
        self.changes: list[Change] = []
        """All changes of the state so far."""

    def event(self, method: str, params: dict[str, Any], session_id: str | None = None) -> None:
        self.input(inputs.EventReceived(method, session_id, json.dumps(params).encode()))

    def input(self, one: inputs.Input) -> None:
        before, image = self.play.state, repr(self.play.state)
        self.play.clock += 1
        self.play.give(one)
        assert repr(before) == image, "a state that was given out has changed"

    # -- the browser -------------------------------------------------------------------------

    @rule(target_id=TARGETS, session=SESSIONS, on=SESSIONS, opener=st.none() | TARGETS)
    def attach(
        self, target_id: str, session: str | None, on: str | None, opener: str | None
    ) -> None:
        kind = "iframe" if target_id.startswith("F") else "page"
        info = target_info(target_id, kind=kind, opener=opener)
        params = {"sessionId": session or "S9", "targetInfo": info, "waitingForDebugger": True}
        self.event("Target.attachedToTarget", params, on)

    @rule(session=SESSIONS, on=SESSIONS)
    def detach(self, session: str | None, on: str | None) -> None:
        self.event("Target.detachedFromTarget", {"sessionId": session or "S9"}, on)

    @rule(target_id=TARGETS)
    def destroy(self, target_id: str) -> None:
        self.event("Target.targetDestroyed", {"targetId": target_id})

    @rule(target_id=TARGETS)
    def crash(self, target_id: str) -> None:
        params = {"targetId": target_id, "status": "crashed", "errorCode": 11}
        self.event("Target.targetCrashed", params)

    @rule(target_id=TARGETS, title=st.text(max_size=5))
    def info_changed(self, target_id: str, title: str) -> None:
        self.event("Target.targetInfoChanged", {"targetInfo": {**target_info(target_id),
                                                               "title": title}})  # fmt: skip

    @rule(frame_id=FRAMES, parent=FRAMES, on=SESSIONS)
    def frame_attached(self, frame_id: str, parent: str, on: str | None) -> None:
        self.event("Page.frameAttached", {"frameId": frame_id, "parentFrameId": parent}, on)

    @rule(frame_id=FRAMES, on=SESSIONS, reason=st.sampled_from(["remove", "swap"]))
    def frame_detached(self, frame_id: str, on: str | None, reason: str) -> None:
        self.event("Page.frameDetached", {"frameId": frame_id, "reason": reason}, on)

    @rule(frame_id=FRAMES, on=SESSIONS, parent=st.none() | FRAMES,
          kind=st.sampled_from(["Navigation", "BackForwardCacheRestore"]))  # fmt: skip
    def navigated(self, frame_id: str, on: str | None, parent: str | None, kind: str) -> None:
        params = {"frame": frame(frame_id, parent=parent), "type": kind}
        self.event("Page.frameNavigated", params, on)

    @rule(session=SESSIONS, top=FRAMES, child=FRAMES)
    def frame_tree_known(self, session: str | None, top: str, child: str) -> None:
        told = json.dumps(tree(frame(top), frame(child, parent=top))).encode()
        self.input(inputs.Replied(FrameTreeAsked(session or ""), told))

    @rule(kind=st.sampled_from(["alert", "confirm", "prompt", "beforeunload"]), on=SESSIONS,
          frame_id=FRAMES)  # fmt: skip
    def dialog_opens(self, kind: str, on: str | None, frame_id: str) -> None:
        self.event(
            "Page.javascriptDialogOpening",
            {"url": "", "frameId": frame_id, "message": "?", "type": kind,
             "hasBrowserHandler": False, "defaultPrompt": ""},
            on,
        )  # fmt: skip

    @rule(on=SESSIONS, result=st.booleans())
    def dialog_closes(self, on: str | None, result: bool) -> None:
        params = {"frameId": "T1", "result": result, "userInput": ""}
        self.event("Page.javascriptDialogClosed", params, on)

    @rule(
        number=st.integers(1, 5),
        frame_id=FRAMES,
        on=SESSIONS,
        world=st.none() | st.just("tabwarden"),
    )
    def context_created(
        self, number: int, frame_id: str, on: str | None, world: str | None
    ) -> None:
        about = {
            "id": number, "origin": "", "name": world or "", "uniqueId": f"{on}.{number}",
            "auxData": {"frameId": frame_id, "isDefault": world is None, "type": "default"},
        }  # fmt: skip
        self.event("Runtime.executionContextCreated", {"context": about}, on)

    @rule(on=SESSIONS)
    def contexts_cleared(self, on: str | None) -> None:
        self.event("Runtime.executionContextsCleared", {}, on)

    @rule(method=st.sampled_from(sorted(m.EVENTS)), on=SESSIONS, params=GARBAGE)
    def garbage(self, method: str, on: str | None, params: bytes) -> None:
        self.input(inputs.EventReceived(method, on, params))

    # -- replies, late, early, or refused ----------------------------------------------------

    @rule(session=SESSIONS, error=st.none() | st.just("refused"))
    def set_up_answered(self, session: str | None, error: str | None) -> None:
        self.input(inputs.Replied(SetUp(session or ""), None if error else b"{}", error))

    @rule(dialog_id=DIALOG_IDS, error=st.none() | st.just("No dialog is showing"))
    def dialog_answered(self, dialog_id: str, error: str | None) -> None:
        self.input(inputs.Replied(DialogAnswered(dialog_id), None if error else b"{}", error))

    @rule(tab_id=TAB_IDS, target_id=st.none() | TARGETS)
    def replacement_created(self, tab_id: str, target_id: str | None) -> None:
        told = json.dumps({"targetId": target_id}).encode() if target_id else None
        self.input(inputs.Replied(ReplacementCreated(tab_id), told, None if told else "refused"))

    # -- the agent and the clock -------------------------------------------------------------

    @rule(dialog_id=DIALOG_IDS, accept=st.booleans(), text=st.none() | st.text(max_size=3))
    def answer(self, dialog_id: str, accept: bool, text: str | None) -> None:
        self.input(inputs.AnswerDialog(dialog_id, accept, text))

    @rule(tab_id=TAB_IDS)
    def activate(self, tab_id: str) -> None:
        self.input(inputs.ActivateTab(tab_id))

    @rule(tab_id=TAB_IDS, on=st.booleans())
    def leave(self, tab_id: str, on: bool) -> None:
        self.input(inputs.SetLeaving(tab_id, on))

    @rule(tab_id=TAB_IDS)
    def replace(self, tab_id: str) -> None:
        self.input(inputs.ReplaceTab(tab_id))

    @rule(later=st.sampled_from([0.0, 1.0, 400.0]))
    def tick(self, later: float) -> None:
        self.play.clock += later
        self.input(inputs.Tick())

    @rule()
    def disconnect(self) -> None:
        self.input(inputs.Disconnected("the socket closed"))

    # -- invariants --------------------------------------------------------------------------

    @invariant()
    def no_dialog_is_lost(self) -> None:
        state = self.play.state
        opened = [n.dialog.id for n in self.play.told(DialogOpened)]
        closed = [n.dialog.id for n in self.play.told(DialogClosed)]
        waiting = [d.id for d in state.pending_dialogs]
        assert opened == [f"d-{n + 1}" for n in range(len(opened))]
        assert len(set(closed)) == len(closed), "closed twice"
        assert sorted(closed + waiting) == sorted(opened)
        assert [d.id for d in state.recent_dialogs] == closed[-RECENT_DIALOGS:]

    @invariant()
    def waiting_dialogs_can_be_answered(self) -> None:
        state = self.play.state
        for dialog in state.pending_dialogs:
            # The lost connection's guard answers it until the browser reports it again.
            assert dialog.guarded or dialog.session_id in state.sessions
            assert m.next_deadline(state) is not None or dialog.answer is not None

    @invariant()
    def every_target_was_let_run(self) -> None:
        run = runtime.RunIfWaitingForDebugger.METHOD
        let_run = {s.session_id for s in self.play.commands if run == s.command.METHOD}
        assert set(self.play.state.sessions) <= let_run

    @invariant()
    def entries_refer_to_what_is_there(self) -> None:
        state = self.play.state
        assert all(s.tab_id in state.tabs for s in state.sessions.values())
        assert state.active_tab_id is None or state.active_tab_id in state.tabs
        assert all(f.session_id in state.sessions for f in state.frames.values())
        for key, one in state.frames.items():
            assert one.frame_id == key
            above = [key]
            while one is not None and one.parent_frame_id is not None:
                above.append(one.parent_frame_id)
                assert len(set(above)) == len(above), "a frame stands below itself"
                one = state.frames.get(one.parent_frame_id)

    @invariant()
    def a_tab_and_its_session_know_each_other(self) -> None:
        state = self.play.state
        for tab in state.tabs.values():
            session = state.sessions.get(tab.session_id or "")
            assert session is not None, "a tab that nobody can talk to"
            assert (session.tab_id, session.target_id) == (tab.tab_id, tab.target_id)

    @invariant()
    def changes_are_a_numbered_window_that_explains_the_tabs(self) -> None:
        state, window = self.play.state, self.play.state.changes
        self.changes += window.after(len(self.changes))
        assert len(window.entries) <= CHANGES_KEPT
        assert window.sequence == len(self.changes)
        kept = self.changes[window.dropped :]
        assert all(one is known for one, known in zip(window.entries, kept, strict=True))
        assert [one.sequence for one in self.changes] == [*range(1, window.sequence + 1)]
        opened = {one.tab_id for one in self.changes if one.kind == "tab_opened"}
        closed = {one.tab_id for one in self.changes if one.kind == "tab_closed"}
        assert opened - closed == state.tabs.keys()
        switched = [one.tab_id for one in self.changes if one.kind == "tab_switched"]
        assert state.active_tab_id is None or switched[-1] == state.active_tab_id
        for tab_id, tab in state.tabs.items():
            kinds = [one.kind for one in self.changes if one.tab_id == tab_id]
            assert tab.documents <= kinds.count("navigation")

    @invariant()
    def no_target_is_two_tabs(self) -> None:
        targets = [tab.target_id for tab in self.play.state.tabs.values()]
        assert len(set(targets)) == len(targets)

    @invariant()
    def no_tab_number_is_used_twice(self) -> None:
        numbers = [int(tab_id[1:]) for tab_id in self.play.state.tabs]
        assert all(number < self.play.state.next_tab for number in numbers)

    @invariant()
    def the_state_can_be_read_at_any_time(self) -> None:
        from tabwarden.supervisor.core.snapshots import capped, frame_tree_of, snapshot_of

        snapshot_of("task", self.play.state)
        for tab_id in self.play.state.tabs:
            capped(frame_tree_of(self.play.state, tab_id))


class Bridged(AnyOrder):
    """The same on the debugger channel."""

    bridge = BRIDGE

    def __init__(self) -> None:
        super().__init__()
        self.play = Play(Policy(bridge=self.bridge))
        self.play.give(inputs.Connected())

    @rule(script_id=SCRIPTS, frame_id=FRAMES, on=SESSIONS, ours=st.booleans())
    def script_parsed(self, script_id: str, frame_id: str, on: str | None, ours: bool) -> None:
        session = self.play.state.session(on)
        target_id = session.target_id if session is not None else "T1"
        about = {
            "scriptId": script_id, "url": self.bridge.name, "startLine": 0, "startColumn": 0,
            "endLine": 9, "endColumn": 0, "executionContextId": 1, "buildId": "",
            "hash": hash_in(self.bridge, target_id) if ours else "0",
            "executionContextAuxData": {"frameId": frame_id},
        }  # fmt: skip
        self.event("Debugger.scriptParsed", about, on)

    @rule(script_id=SCRIPTS, on=SESSIONS)
    def paused(self, script_id: str, on: str | None) -> None:
        place = {"scriptId": script_id, "lineNumber": 1, "columnNumber": 1}
        top = {
            "callFrameId": f"{script_id}.1.0", "functionName": "ask", "location": place, "url": "",
            "scopeChain": [], "this": {"type": "undefined"},
        }  # fmt: skip
        self.event("Debugger.paused", {"callFrames": [top], "reason": "other"}, on)

    @rule(on=SESSIONS)
    def resumed(self, on: str | None) -> None:
        self.event("Debugger.resumed", {}, on)

    @rule(data=st.data(), fails=st.booleans())
    def asked_something(self, data: st.DataObject, fails: bool) -> None:
        asked = [s.ask for s in self.play.commands if isinstance(s.ask, ASKS)]
        if not asked:
            return
        request = json.dumps({"type": "confirm", "message": "?", "initial": "", "url": ""})
        told = {
            "result": {"type": "string", "value": request},
            "backendNodeId": 4,
            "node": {"nodeId": 0, "backendNodeId": 4, "nodeType": 1, "nodeName": "IFRAME",
                     "localName": "iframe", "nodeValue": "", "attributes": ["sandbox", ""]},
        }  # fmt: skip
        if data.draw(st.booleans()):
            told["node"]["attributes"] = []
        reply = None if fails else json.dumps(told).encode()
        ask = data.draw(st.sampled_from(asked))
        self.input(inputs.Replied(ask, reply, "no" if fails else None))


class Auto(Bridged):
    """The same with both channels, with the debugger turned on and off."""

    bridge = AUTO

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, str | None] = {}

    @rule(
        on=SESSIONS,
        frame_id=FRAMES,
        url=URLS,
        body=st.sampled_from(["ours", "forged", "garbage", "none", "elsewhere"]),
    )
    def request_paused(self, on: str | None, frame_id: str, url: str, body: str) -> None:
        request_id = f"R{len(self.held)}"
        self.held[request_id] = on
        key = AUTO.key if body == "ours" else "forged"
        post = {"key": key, "url": url, "type": "prompt", "message": "?", "initial": "was"}
        request = {
            "url": "https://a.test/" if body == "elsewhere" else AUTO.url, "method": "POST",
            "headers": {}, "initialPriority": "High", "referrerPolicy": "no-referrer",
        }  # fmt: skip
        if body != "none":
            request["postData"] = "{" if body == "garbage" else json.dumps(post)
        paused = {"requestId": request_id, "request": request, "frameId": frame_id,
                  "resourceType": "XHR"}  # fmt: skip
        self.event("Fetch.requestPaused", paused, on)

    @rule(frame_id=FRAMES, on=SESSIONS, url=URLS, begins=st.booleans())
    def is_left(self, frame_id: str, on: str | None, url: str, begins: bool) -> None:
        params = {"frameId": frame_id, "url": url, "loaderId": "L9", "reason": "reload",
                  "disposition": "currentTab", "navigationType": "differentDocument"}  # fmt: skip
        event = "frameStartedNavigating" if begins else "frameRequestedNavigation"
        self.event(f"Page.{event}", params, on)

    @rule(frame_id=FRAMES, on=SESSIONS, stopped=st.booleans())
    def is_loaded(self, frame_id: str, on: str | None, stopped: bool) -> None:
        if stopped:
            self.event("Page.frameStoppedLoading", {"frameId": frame_id}, on)
            return
        params = {"frameId": frame_id, "loaderId": "L1", "name": "DOMContentLoaded",
                  "timestamp": 1.0}  # fmt: skip
        self.event("Page.lifecycleEvent", params, on)

    @rule(tab_id=TAB_IDS, url=URLS)
    def leaving(self, tab_id: str, url: str) -> None:
        self.input(inputs.Leaving(tab_id, url))

    @rule(on=SESSIONS, error=st.none() | st.just("gone"))
    def armed(self, on: str | None, error: str | None) -> None:
        self.input(inputs.Replied(Armed(on or ""), None if error else b"{}", error))

    @invariant()
    def every_request_is_answered_once_or_belongs_to_a_dialog_that_waits(self) -> None:
        waiting = {d.held_by: d for d in self.play.state.pending_dialogs if d.channel == "xhr"}
        sent: dict[str, list[Any]] = {request_id: [] for request_id in self.held}
        for one in self.play.commands:
            if isinstance(one.command, LET_GO):
                sent[one.command.request_id].append(one)
        for request_id, answers in sent.items():
            dialog = waiting.get(request_id)
            unanswered = dialog is not None and dialog.answer is None
            assert bool(answers) is not unanswered
            # An answer may have been too late: then its dialog ends like an unanswered one.
            assert [one.ask is None for one in answers] in ([], [True], [False], [False, True])
            assert {one.session_id for one in answers} <= {self.held[request_id]}

    @invariant()
    def the_debugger_is_switched_by_turns(self) -> None:
        for session_id, session in self.play.state.sessions.items():
            methods = self.play.sent(session_id)
            begun = len(methods) - methods[::-1].index("Runtime.runIfWaitingForDebugger")
            switched = [m for m in methods[begun:] if m in ("Debugger.enable", "Debugger.disable")]
            assert all(a != b for a, b in pairwise(switched))
            if switched:
                assert (switched[-1] == "Debugger.enable") is (session.debugging != "off")


TestAuto = Auto.TestCase
TestAuto.settings = settings.get_profile("supervisor")
TestBridged = Bridged.TestCase
TestBridged.settings = settings.get_profile("supervisor")
TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings.get_profile("supervisor")


class OwnContext(AnyOrder):
    """The same in a task's own context, with events of other contexts."""

    def __init__(self) -> None:
        super().__init__()
        self.play = Play.connected(context="C")
        self.foreign: set[str] = set()

    @rule(
        number=st.integers(1, 3),
        context=st.sampled_from(["D", "E"]),
        opener=st.none() | TARGETS,
        leased=st.booleans(),
        reaches=st.booleans(),
    )
    def attach_elsewhere(
        self, number: int, context: str, opener: str | None, leased: bool, reaches: bool
    ) -> None:
        session = f"SX{len(self.foreign)}"
        info = target_info(f"X{number}", opener=opener, context=context, reaches_opener=reaches)
        params = {"sessionId": session, "targetInfo": info, "waitingForDebugger": True}
        self.foreign.add(session)
        if leased:
            self.input(inputs.AnotherTasksTarget(json.dumps(params).encode()))
        else:
            self.event("Target.attachedToTarget", params)
        run = runtime.RunIfWaitingForDebugger.METHOD
        assert self.play.sent(session) == ([] if leased and reaches else [run])

    @rule(number=st.integers(1, 3), frame_id=FRAMES | st.sampled_from(["X1", "X2"]))
    def downloads(self, number: int, frame_id: str) -> None:
        guid = f"{frame_id}-{number}"
        known = frame_id in self.play.state.frames or self.play.state.tab_of_target(frame_id)
        already = any(d.guid == guid for d in self.play.state.downloads)
        begins = {"frameId": frame_id, "guid": guid, "url": "", "suggestedFilename": "f"}
        self.event("Browser.downloadWillBegin", begins)
        told = any(d.guid == guid for d in self.play.state.downloads)
        assert told is (already or bool(known))

    @invariant()
    def nothing_of_the_others_is_known_and_each_is_left(self) -> None:
        state = self.play.state
        assert not self.foreign & state.sessions.keys()
        assert not {tab.target_id for tab in state.tabs.values()} & {"X1", "X2", "X3"}
        assert all(tab.browser_context_id == "C" for tab in state.tabs.values())
        left = {
            one.command.session_id
            for one in self.play.commands
            if isinstance(one.command, target.DetachFromTarget)
        }
        assert self.foreign <= left

    @invariant()
    def every_page_that_is_made_is_made_in_it(self) -> None:
        made = [o.command for o in self.play.commands if isinstance(o.command, target.CreateTarget)]
        assert {one.browser_context_id for one in made} == {"C"}


TestOwnContext = OwnContext.TestCase
TestOwnContext.settings = settings.get_profile("supervisor")


class EachPolicy(AnyOrder):
    """The same with a policy that answers dialogs."""

    def __init__(self) -> None:
        super().__init__()
        self.play = Play.connected(dialog_policy="auto_dismiss")
        self.left: set[str] = set()
        """The tabs that the agent has ever left."""

    @invariant()
    def nobody_waits_for_an_agent(self) -> None:
        assert all(dialog.answer is not None for dialog in self.play.state.pending_dialogs)

    @invariant()
    def only_a_page_that_the_agent_leaves_is_left(self) -> None:
        self.left |= self.play.state.leaving
        accepted = [
            one.dialog for one in self.play.told(DialogOpened) if self.answer_of(one.dialog.id)
        ]
        assert all(dialog.type == "beforeunload" for dialog in accepted)
        assert {dialog.tab_id for dialog in accepted} <= self.left

    def answer_of(self, dialog_id: str) -> bool:
        """Whether the policy accepted a dialog."""
        state = self.play.state
        pending = [one.answer for one in state.pending_dialogs if one.id == dialog_id]
        return any(one is not None and one.accept and one.by == "auto_policy" for one in pending)


TestEachPolicy = EachPolicy.TestCase
TestEachPolicy.settings = settings.get_profile("supervisor")


@given(policy=POLICIES, kind=st.sampled_from(["alert", "confirm", "prompt"]))
@settings(deadline=None, derandomize=not FUZZ)
def test_dialog_policy_gives_the_answer_that_its_name_states(policy: str, kind: str) -> None:
    play = Play.connected(dialog_policy=policy)
    play.open_page()
    play.dialog(kind, default="x")
    answers = [msgspec.to_builtins(answer.accept) for answer in play.answers_sent()]
    assert answers == {"must_respond": [], "auto_dismiss": [False], "auto_accept": [True]}[policy]


@given(st.binary(max_size=60), st.sampled_from(sorted(m.EVENTS)))
@settings(deadline=None, derandomize=not FUZZ)
def test_state_machine_raises_no_exception_for_any_event_bytes(params: bytes, method: str) -> None:
    play = Play.connected()
    play.open_page()
    m.step(play.state, inputs.EventReceived(method, "S1", params), Now(1.0, 1.0))
