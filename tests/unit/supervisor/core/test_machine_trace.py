"""A recorded visit of a real Chromium, replayed to the same states."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import msgspec
from support.machine_kit import Play
from unit.supervisor.core.record_trace import TRACE, Line

from tabwarden.protocol import target
from tabwarden.supervisor.core.handlers import dialogs, frames, set_up, targets
from tabwarden.supervisor.core.snapshots import frame_tree_of
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import (
    DialogClosed,
    DialogOpened,
    TabOpened,
    TargetCrashed,
)

ASKS = {
    kind.__name__: kind
    for kind in (
        set_up.SetUp,
        targets.ReplacementCreated,
        frames.FrameTreeAsked,
        dialogs.DialogAnswered,
    )
}


def recorded() -> Iterator[inputs.Input]:
    """The recorded inputs, in order."""
    for text in TRACE.read_bytes().splitlines():
        line = msgspec.json.decode(text, type=Line)
        body = base64.b64decode(line.body)
        match line.kind:
            case "event":
                yield inputs.EventReceived(line.method, line.session_id, body)
            case "reply":
                about = dict(line.ask)
                ask = ASKS[about.pop("type")](**about)
                yield inputs.Replied(ask, body or None, line.error)
            case "answer":
                yield inputs.AnswerDialog(line.ask["dialog_id"], line.ask["accept"] == "True")
            case "activate":
                yield inputs.ActivateTab(line.ask["tab_id"])
            case "seen":
                yield inputs.TargetSeen(msgspec.json.decode(body, type=target.TargetInfo))
            case "title":
                yield inputs.TitleRead(line.ask["tab_id"], line.ask["title"])
            case "connected":
                yield inputs.Connected()
            case "disconnected":
                yield inputs.Disconnected(line.error or "")


def test_replayed_event_trace_produces_the_recorded_states() -> None:
    play, trees, statuses = Play(), set(), []
    for one in recorded():
        play.give(one)
        for tab in play.state.tabs.values():
            tree = frame_tree_of(play.state, tab.tab_id)
            trees.add(tuple(sorted(child.is_oopif for child in tree.children)))
            if not statuses or statuses[-1] != (tab.tab_id, tab.status):
                statuses.append((tab.tab_id, tab.status))
    assert (False, True) in trees, "a frame of the same site and one of another"
    assert [n.dialog.message for n in play.told(DialogOpened)] == ["Sure?"]
    assert [n.dialog.closed_by for n in play.told(DialogClosed)] == ["agent"]
    assert [n.tab_id for n in play.told(TabOpened)] == ["t1", "t2"]
    assert [n.tab_id for n in play.told(TargetCrashed)] == ["t2"]
    assert ("t2", "crashed") in statuses
    assert statuses.index(("t2", "crashed")) < len(statuses) - 1
    assert [error.text for error in play.state.console_errors] == ["boom", "boom"]
    assert play.state.health.status == "gone"
    assert play.state.pending_dialogs == ()


def test_replaying_an_event_trace_is_deterministic() -> None:
    states = []
    for _ in range(2):
        play = Play()
        for one in recorded():
            play.give(one)
        states.append(repr(play.state))
    assert states[0] == states[1]
