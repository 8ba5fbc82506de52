"""Events of the right shape with anything in them, in any order: the machine's promises hold.

``test_machine_properties`` has histories that a browser might tell; here the browser (or whoever
speaks for it) tells anything that its protocol has room for.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import rule
from support.fuzzing import searched
from support.machine_kit import Play
from support.typed import typed
from unit.supervisor.core.test_machine_properties import DIALOG_IDS, FRAMES, TAB_IDS, AnyOrder

from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.transition import Now

TARGET_IDS = st.sampled_from(["T1", "T2", "F1"])
ON = st.sampled_from(["S1", "S2", "SF1", "nobody", None])
POOLS = {
    "targetId": TARGET_IDS,
    "openerId": TARGET_IDS,
    "sessionId": st.sampled_from(["S1", "S2", "SF1"]),
    "frameId": FRAMES,
    "parentId": FRAMES,
    "parentFrameId": FRAMES,
    "openerFrameId": FRAMES,
    "browserContextId": st.sampled_from(["C", "D"]),
    "loaderId": st.sampled_from(["L1", "L2"]),
    "requestId": st.sampled_from(["R1", "R2"]),
    "scriptId": st.sampled_from(["7", "8"]),
    "guid": st.sampled_from(["g1", "g2"]),
    "type": st.sampled_from(["page", "iframe", "worker", "tab", "alert", "prompt", "beforeunload"]),
    "id": FRAMES,
}  # fmt: skip
GIVEN_UP = [inputs.DeclareGone, inputs.ForgetTab, inputs.TabRenewed]
METHODS = sorted(m.EVENTS)
PARAMS = {method: typed(m.EVENTS[method][0], POOLS) for method in METHODS}


@st.composite
def events(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    method = draw(st.sampled_from(METHODS))
    return method, draw(PARAMS[method])


class AnyShape(AnyOrder):
    """Plausible browser events, and any other event with any content."""

    @rule(event=events(), on=ON)
    def anything(self, event: tuple[str, dict[str, Any]], on: str | None) -> None:
        self.event(*event, on)

    @rule(event=events(), on=ON)
    def anything_and_later_a_page(self, event: tuple[str, dict[str, Any]], on: str | None) -> None:
        self.event(*event, on)
        self.play.open_page("T2", "S2")

    @rule(kept=st.frozensets(TARGET_IDS), guarded=st.frozensets(TARGET_IDS))
    def reconnected(self, kept: frozenset[str], guarded: frozenset[str]) -> None:
        self.input(inputs.Disconnected("cut", reconnecting=True, guarded=guarded))
        self.input(inputs.Connected(self.play.state.context is None, self.play.state.context))
        for number, target_id in enumerate(sorted(kept)):
            self.play.open_page(target_id, f"S{number + 1}")
        self.input(inputs.Reattached(kept))
        assert {tab.target_id for tab in self.play.state.tabs.values()} <= kept

    @rule(
        tab_id=TAB_IDS,
        one=st.sampled_from(GIVEN_UP),
    )
    def given_up(self, tab_id: str, one: Any) -> None:
        self.input(one(tab_id))
        if one is not inputs.TabRenewed:
            assert tab_id not in self.play.state.tabs

    @rule(dialog_id=DIALOG_IDS)
    def answered_twice(self, dialog_id: str) -> None:
        for accept in (True, False):
            self.input(inputs.AnswerDialog(dialog_id, accept))
        answers = [d.answer for d in self.play.state.pending_dialogs if d.id == dialog_id]
        assert [one.accept for one in answers if one is not None] in ([], [True], [False])


TestAnyShape = AnyShape.TestCase
TestAnyShape.settings = searched(25, steps=40)


@pytest.mark.parametrize("method", METHODS)
def test_state_machine_raises_no_exception_for_any_well_formed_event(method: str) -> None:
    @searched(8)
    @given(PARAMS[method], ON, st.booleans())
    def check(params: dict[str, Any], on: str | None, known: bool) -> None:
        play = Play.connected()
        if known:
            play.open_page()
            play.oopif()
        event = inputs.EventReceived(method, on, json.dumps(params).encode())
        m.step(play.state, event, Now(1.0, 1.0))

    check()
