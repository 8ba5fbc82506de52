"""Dialogs: open, answered and closed; none is lost or answered twice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.machine_kit import HOME, NO_DIALOG, WALL, Play
from support.requested import Requested

from tabwarden.egress.gate import NetworkPolicy
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.handlers.dialogs import DialogAnswered
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.answers import NOWHERE
from tabwarden.supervisor.core.state.notices import DialogClosed, DialogOpened


def the_closed(play: Play) -> Any:
    """The only closed dialog."""
    (closed,) = play.state.recent_dialogs
    return closed


def test_open_dialog_has_all_fields_that_the_browser_reported(one_tab: Play) -> None:
    one_tab.dialog("prompt", "Name?", default="Ada")

    (dialog,) = one_tab.state.pending_dialogs
    assert (dialog.id, dialog.type, dialog.message, dialog.default_prompt) == (
        "d-1",
        "prompt",
        "Name?",
        "Ada",
    )
    assert (dialog.frame_id, dialog.session_id, dialog.target_id, dialog.tab_id, dialog.url) == (
        "T1",
        "S1",
        "T1",
        "t1",
        HOME,
    )
    assert dialog.opened_at == WALL + one_tab.clock
    assert one_tab.told(DialogOpened) == [DialogOpened(tab_id="t1", dialog=dialog)]
    assert one_tab.answers_sent() == []


def test_state_machine_ignores_a_dialog_on_an_unknown_session(one_tab: Play) -> None:
    assert one_tab.dialog(on="S9") is None
    assert one_tab.state.next_dialog == 1


def test_dialog_with_an_empty_frame_id_has_no_frame(one_tab: Play) -> None:
    dialog = one_tab.dialog(frame_id="")
    assert dialog is not None
    assert dialog.frame_id is None


def test_answer_is_sent_on_the_dialogs_session_and_its_reply_closes_the_dialog(
    one_tab: Play,
) -> None:
    one_tab.dialog("prompt", "Name?")
    done = one_tab.answer("d-1", text="Grace")

    (sent,) = done.commands
    assert sent.session_id == "S1"
    assert msgspec.to_builtins(sent.command) == {"accept": True, "promptText": "Grace"}
    assert len(one_tab.state.pending_dialogs) == 1, "it stays until the browser took the answer"

    one_tab.clock += 2
    one_tab.reply(sent.ask)
    closed = the_closed(one_tab)
    assert (closed.closed_by, closed.accepted, closed.prompt_text) == ("agent", True, "Grace")
    assert closed.closed_at == WALL + one_tab.clock
    assert one_tab.state.pending_dialogs == ()
    assert one_tab.told(DialogClosed) == [DialogClosed(tab_id="t1", dialog=closed)]


def test_answer_without_text_omits_the_prompt_text(one_tab: Play) -> None:
    one_tab.dialog("alert")
    one_tab.answer("d-1", accept=False)
    assert [msgspec.to_builtins(c) for c in one_tab.answers_sent()] == [{"accept": False}]


@pytest.mark.parametrize("event_first", [True, False])
def test_closed_event_and_a_reply_close_the_dialog_once_in_either_order(
    one_tab: Play, *, event_first: bool
) -> None:
    one_tab.dialog()
    one_tab.answer("d-1")
    ask = one_tab.dialog_ask()
    if event_first:
        one_tab.dialog_closed(result=True)
        one_tab.reply(ask)
    else:
        one_tab.reply(ask)
        one_tab.dialog_closed(result=True)
    assert len(one_tab.told(DialogClosed)) == 1
    assert the_closed(one_tab).closed_by == "agent"


def test_machine_sends_no_dialog_answer_twice(one_tab: Play) -> None:
    one_tab.dialog()
    one_tab.answer("d-1", accept=True)
    one_tab.answer("d-1", accept=False)
    one_tab.tick_at(one_tab.clock + 1_000)
    assert [c.accept for c in one_tab.answers_sent()] == [True]


def test_answer_to_a_closed_or_unknown_dialog_sends_nothing(one_tab: Play) -> None:
    one_tab.dialog()
    one_tab.dialog_closed()
    assert one_tab.answer("d-1").commands == ()
    assert one_tab.answer("d-7").commands == ()


def test_dialog_closed_by_another_client_is_recorded_as_remote(one_tab: Play) -> None:
    one_tab.dialog("prompt")
    one_tab.dialog_closed(result=True, text="theirs")
    closed = the_closed(one_tab)
    assert (closed.closed_by, closed.accepted, closed.prompt_text) == ("remote", True, "theirs")


def test_error_reply_records_the_dialog_as_closed_remotely(one_tab: Play) -> None:
    one_tab.dialog()
    one_tab.answer("d-1")
    one_tab.reply(one_tab.dialog_ask(), error=NO_DIALOG)
    closed = the_closed(one_tab)
    assert (closed.closed_by, closed.accepted, closed.prompt_text) == ("remote", None, None)


def test_late_reply_does_not_change_the_next_dialog(one_tab: Play) -> None:
    one_tab.dialog()
    one_tab.answer("d-1")
    ask = one_tab.dialog_ask()
    one_tab.dialog_closed()
    one_tab.dialog()
    one_tab.reply(ask, error=NO_DIALOG)
    assert [d.id for d in one_tab.state.pending_dialogs] == ["d-2"]


def test_browser_reply_changes_nothing_if_no_answer_was_sent(one_tab: Play) -> None:
    one_tab.dialog()
    before = one_tab.state
    one_tab.reply(DialogAnswered("d-1"))
    assert one_tab.state is before


# -- watchdog ----------------------------------------------------------------------------------


def test_watchdog_dismisses_a_dialog_at_its_deadline_and_not_before() -> None:
    play = Play.connected(dialog_timeout_s=5.0)
    play.open_page()
    play.dialog("beforeunload")
    deadline = play.clock + 5.0
    assert m.next_deadline(play.state) == deadline

    assert play.tick_at(deadline - 0.001).commands == ()
    assert m.next_deadline(play.state) == deadline

    play.tick_at(deadline)
    assert [c.accept for c in play.answers_sent()] == [False]
    assert m.next_deadline(play.state) is None, "an answer is on its way: nothing to wake up for"
    play.dialog_closed(result=False)
    assert the_closed(play).closed_by == "watchdog"


def test_next_deadline_is_that_of_the_earliest_unanswered_dialog() -> None:
    play = Play.connected(dialog_timeout_s=5.0)
    play.open_page("T1", "S1")
    play.open_page("T2", "S2")
    assert m.next_deadline(play.state) is None
    play.dialog(on="S1")
    first = m.next_deadline(play.state)
    play.clock += 1
    play.dialog(on="S2")
    assert m.next_deadline(play.state) == first
    play.answer("d-1")
    assert m.next_deadline(play.state) == play.clock + 5.0


def test_watchdog_answers_only_dialogs_that_are_due() -> None:
    play = Play.connected(dialog_timeout_s=5.0)
    play.open_page("T1", "S1")
    play.open_page("T2", "S2")
    play.dialog(on="S1")
    play.clock += 3
    play.dialog(on="S2")
    play.tick_at(play.clock + 2)
    assert [c.session_id for c in play.commands if c.ask == DialogAnswered("d-1")] == ["S1"]
    assert len(play.answers_sent()) == 1


# -- policy ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "kind", "default", "sent"),
    [
        ("auto_dismiss", "confirm", None, {"accept": False}),
        ("auto_dismiss", "prompt", "x", {"accept": False}),
        ("auto_accept", "confirm", None, {"accept": True}),
        ("auto_accept", "beforeunload", None, {"accept": True}),
        ("auto_accept", "prompt", "x", {"accept": True, "promptText": "x"}),
        ("auto_accept", "prompt", None, {"accept": True, "promptText": ""}),
    ],
)
def test_auto_policy_answers_a_dialog_in_the_same_step(
    policy: str, kind: str, default: str | None, sent: dict[str, Any]
) -> None:
    play = Play.connected(dialog_policy=policy)
    play.open_page()
    play.dialog(kind, default=default)
    assert [msgspec.to_builtins(c) for c in play.answers_sent()] == [sent]
    assert len(play.told(DialogOpened)) == 1, "what is answered by itself is told all the same"
    play.dialog_closed(result=sent["accept"])
    assert the_closed(play).closed_by == "auto_policy"


def test_auto_dismiss_accepts_a_beforeunload_dialog_only_while_the_agent_leaves_the_tab() -> None:
    play = Play.connected(dialog_policy="auto_dismiss")
    play.open_page()
    play.open_page("T2", "S2")

    def answer(kind: str, on: str = "S1") -> bool:
        play.dialog(kind, on=on)
        accepted = play.answers_sent()[-1].accept
        play.dialog_closed(result=accepted, on=on)
        return accepted

    assert not answer("beforeunload")
    play.give(inputs.SetLeaving("t1", on=True))
    assert answer("beforeunload")
    assert not answer("confirm"), "only the dialog that asks whether to leave"
    assert not answer("beforeunload", on="S2"), "another tab"
    play.give(inputs.SetLeaving("t1", on=False))
    assert not answer("beforeunload")


# -- ring and supersession ---------------------------------------------------------------------


def test_state_machine_keeps_the_last_twenty_closed_dialogs(one_tab: Play) -> None:
    for number in range(25):
        one_tab.dialog("alert", str(number))
        one_tab.dialog_closed()
    recent = one_tab.state.recent_dialogs
    assert [d.id for d in recent] == [f"d-{n}" for n in range(6, 26)]
    assert recent[-1].message == "24"


def test_second_dialog_in_a_page_closes_the_first(one_tab: Play) -> None:
    one_tab.dialog(message="first")
    one_tab.dialog(message="second")
    assert [d.message for d in one_tab.state.pending_dialogs] == ["second"]
    closed = the_closed(one_tab)
    assert (closed.id, closed.closed_by, closed.accepted) == ("d-1", "remote", None)


def test_dialogs_in_two_tabs_are_open_at_the_same_time(one_tab: Play) -> None:
    one_tab.open_page("T2", "S2")
    one_tab.dialog(on="S1")
    one_tab.dialog(on="S2")
    assert [d.tab_id for d in one_tab.state.pending_dialogs] == ["t1", "t2"]
    assert [d.id for d in one_tab.state.dialogs_of("t2")] == ["d-2"]
    one_tab.dialog_closed(on="S2")
    assert [d.id for d in one_tab.state.pending_dialogs] == ["d-1"]


def test_dialog_in_an_oopif_is_reported_and_answered_on_the_root_session(
    one_tab: Play,
) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    dialog = one_tab.dialog(on="S1", frame_id="F")
    assert dialog is not None
    assert (dialog.frame_id, dialog.target_id, dialog.tab_id) == ("F", "T1", "t1")
    one_tab.answer(dialog.id)
    assert one_tab.commands[-1].session_id == "S1"


# -- the dialog's page is removed --------------------------------------------------------------


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("end", ["detached", "destroyed", "crashed", "navigated", "disconnected"])
def test_dialog_closes_when_its_page_is_removed(one_tab: Play, end: str, *, answered: bool) -> None:
    one_tab.dialog()
    if answered:
        one_tab.answer("d-1")
    {
        "detached": lambda: one_tab.detach("S1"),
        "destroyed": lambda: one_tab.destroy("T1"),
        "crashed": lambda: one_tab.crash("T1"),
        "navigated": lambda: one_tab.navigated(loader="L2"),
        "disconnected": lambda: one_tab.give(inputs.Disconnected("the socket closed")),
    }[end]()
    assert one_tab.state.pending_dialogs == ()
    closed = the_closed(one_tab)
    assert (closed.closed_by, closed.accepted) == ("remote", None)
    assert len(one_tab.told(DialogClosed)) == 1
    assert m.next_deadline(one_tab.state) is None


def test_child_frames_navigation_does_not_close_the_pages_dialog(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.dialog()
    one_tab.navigated("F", loader="L2", parent="T1")
    assert [d.id for d in one_tab.state.pending_dialogs] == ["d-1"]


def test_disconnect_closes_every_tabs_dialogs(one_tab: Play) -> None:
    one_tab.open_page("T2", "S2")
    one_tab.dialog(on="S1")
    one_tab.dialog(on="S2")
    one_tab.give(inputs.Disconnected("gone"))
    assert [d.id for d in one_tab.state.recent_dialogs] == ["d-1", "d-2"]


# -- who closed it -----------------------------------------------------------------------------


def test_dialog_dismissed_remotely_before_our_answer_is_not_recorded_as_the_agents(
    one_tab: Play,
) -> None:
    one_tab.dialog()
    one_tab.answer("d-1", accept=True)
    one_tab.dialog_closed(result=False)  # another client dismissed it first
    one_tab.reply(one_tab.dialog_ask(), error=NO_DIALOG)
    closed = the_closed(one_tab)
    assert (closed.closed_by, closed.accepted) == ("remote", False)


def test_prompt_accepted_with_empty_text_records_empty_text(one_tab: Play) -> None:
    one_tab.dialog("prompt", default="x")
    one_tab.answer("d-1", text="")
    one_tab.dialog_closed(result=True, text="")
    assert the_closed(one_tab).prompt_text == ""


def leaving(play: Play) -> None:
    """The tab's document is unloaded, and the next one has not committed yet."""
    play.context(1, "T1")
    started = {"frameId": "T1", "url": f"{HOME}next", "navigationType": "differentDocument"}
    play.event("Page.frameStartedNavigating", {**started, "loaderId": "L9"}, "S1")
    play.event("Runtime.executionContextsCleared", {}, "S1")


def test_state_machine_closes_an_unloading_documents_dialog_with_a_void_navigation(
    one_tab: Play,
) -> None:
    leaving(one_tab)
    dialog = one_tab.dialog("confirm", "Leaving?")
    assert dialog is not None
    assert dialog.is_leaving
    assert one_tab.sent("S1")[-1] == "Page.navigate"
    assert one_tab.answers_sent() == []

    one_tab.event(
        "Page.frameStartedNavigating",
        {"frameId": "T1", "url": NOWHERE, "navigationType": "differentDocument", "loaderId": "L0"},
        "S1",
    )
    one_tab.dialog_closed(result=False)
    closed = the_closed(one_tab)
    assert (closed.closed_by, closed.accepted) == ("auto_policy", False)


def test_state_machine_dismisses_the_dialog_of_an_unloading_document_that_rejects_an_answer(
    one_tab: Play,
) -> None:
    one_tab.dialog("confirm", "Leaving?")
    one_tab.answer("d-1", accept=True)
    one_tab.reply(one_tab.dialog_ask(), error="Not attached to an active page")

    (dialog,) = one_tab.state.pending_dialogs
    assert dialog.is_leaving
    assert one_tab.sent("S1")[-1] == "Page.navigate"

    one_tab.reply(one_tab.dialog_ask(), error="Not attached to an active page")
    assert the_closed(one_tab).closed_by == "remote", "it is not tried for ever"


def leaves(play: Play) -> None:
    """The page is navigating to another document."""
    play.event(
        "Page.frameStartedNavigating",
        {
            "frameId": "T1", "url": "https://b.test/", "loaderId": "L2",
            "navigationType": "differentDocument",
        },
        "S1",
    )  # fmt: skip
    assert play.frame().navigating


@pytest.mark.parametrize("accept", [True, False])
def test_dismissed_beforeunload_dialog_ends_the_navigation(accept: bool, one_tab: Play) -> None:
    leaves(one_tab)
    one_tab.dialog("beforeunload", "")
    one_tab.dialog_closed(result=accept)
    assert one_tab.state.recent_dialogs[-1].accepted == accept
    assert one_tab.frame().navigating == accept
    assert bool(one_tab.frame().bound_for) == accept


def test_dismissing_another_dialog_does_not_end_the_navigation(one_tab: Play) -> None:
    leaves(one_tab)
    one_tab.dialog("confirm")
    one_tab.dialog_closed(result=False)
    assert one_tab.frame().navigating


def test_dismissing_beforeunload_does_not_change_a_page_that_was_not_navigating(
    one_tab: Play,
) -> None:
    one_tab.dialog("beforeunload", "")
    before = one_tab.frame()
    one_tab.dialog_closed(result=False)
    assert one_tab.frame() == before


def test_closed_dialog_keeps_all_fields_of_the_open_one(one_tab: Play) -> None:
    waits = one_tab.dialog("prompt", "Name?", default="nobody")
    assert waits is not None
    one_tab.clock += 5
    one_tab.dialog_closed(result=True, text="Ada")
    (closed,) = one_tab.state.recent_dialogs
    both = set(waits.__struct_fields__) & set(closed.__struct_fields__)
    assert {name: getattr(closed, name) for name in both} == {
        name: getattr(waits, name) for name in both
    }
    assert closed.closed_at == waits.opened_at + 5
    assert (closed.accepted, closed.prompt_text) == (True, "Ada")


@pytest.mark.parametrize("kind", ["confirm", "beforeunload"])
def test_others_answer_policy_only_reports_dialogs(kind: str) -> None:
    play = Play.connected(dialog_policy="others_answer", dialog_timeout_s=10)
    play.open_page()
    play.commands.clear()
    play.dialog(kind, "Sure?")
    assert m.next_deadline(play.state) is None
    play.tick_at(play.clock + 10_000)
    (dialog,) = play.state.pending_dialogs
    assert (dialog.type, dialog.answer) == (kind, None)
    assert play.commands == []


@pytest.mark.parametrize("blocked", [(), ("https://ads.example",)])
def test_others_answer_policy_intercepts_requests_only_for_configured_origins(
    blocked: tuple[str, ...],
) -> None:
    network = NetworkPolicy.of([], [*blocked], private_networks=False)
    play = Play.connected(dialog_policy="others_answer", network=network)
    play.open_page()
    intercepts = [one for one in play.commands if one.command.METHOD == "Fetch.enable"]
    assert bool(intercepts) == bool(blocked)


# -- in a browser shared with other clients -----------------------------------------------------


def in_tab(play: Requested, method: str, on: str = "S1") -> list[Any]:
    """The commands of one kind on a session."""
    return [s.command for s in play.commands if s.session_id == on and method == s.command.METHOD]


def test_other_clients_tabs_get_no_bridge_and_keep_native_prompts() -> None:
    play = Requested.open(owned=False, shared=True)
    assert not in_tab(play, "Page.addScriptToEvaluateOnNewDocument")
    assert not in_tab(play, "Page.setInterceptFileChooserDialog")
    (fetched,) = in_tab(play, "Fetch.enable")
    assert (len(fetched.patterns), fetched.handle_auth_requests) == (1, False)
    play.give(inputs.AgentActed("t1"))
    play.give(inputs.AgentActed("t1"))
    assert not in_tab(play, "Page.addScriptToEvaluateOnNewDocument")
    assert len(in_tab(play, "Page.setInterceptFileChooserDialog")) == 1
    assert in_tab(play, "Fetch.enable")[-1].handle_auth_requests


def test_in_a_shared_browser_only_the_agents_tabs_and_popups_get_the_bridge() -> None:
    play = Requested.open(owned=False, shared=True)
    play.give(inputs.AgentOpened("t1"))
    assert len(in_tab(play, "Page.addScriptToEvaluateOnNewDocument")) == 1
    assert len(in_tab(play, "Fetch.enable")[-1].patterns) == 2
    play.attach("T2", "S2", opener="T1")
    play.attach("T3", "S3")
    assert in_tab(play, "Page.addScriptToEvaluateOnNewDocument", "S2")
    assert not in_tab(play, "Page.addScriptToEvaluateOnNewDocument", "S3")


@pytest.mark.parametrize("mode", ["debugger", "xhr"])
def test_modes_debugger_and_xhr_add_the_bridge_to_every_tab_of_a_shared_browser(mode: str) -> None:
    play = Requested.open(mode, owned=False, shared=True)
    play.give(inputs.AgentOpened("t1"))
    assert len(in_tab(play, "Page.addScriptToEvaluateOnNewDocument")) == 1


@pytest.mark.parametrize("policy", ["auto_accept", "auto_dismiss", "must_respond"])
def test_policy_and_watchdog_do_not_answer_in_tabs_that_the_agent_did_not_use(policy: str) -> None:
    play = Requested.open(owned=False, shared=True, policy=policy)
    play.dialog()
    play.tick_at(play.clock + 10_000)
    (dialog,) = play.state.pending_dialogs
    assert (dialog.answer, dialog.deadline) == (None, None)
    play.answer(dialog.id)
    assert in_tab(play, "Page.handleJavaScriptDialog")
    play.dialog_closed(result=True)
    assert play.state.recent_dialogs[-1].closed_by == "agent"


def test_policy_answers_in_a_shared_tab_where_the_agent_acted() -> None:
    play = Requested.open(owned=False, shared=True, policy="auto_accept")
    play.give(inputs.AgentActed("t1"))
    play.dialog()
    assert in_tab(play, "Page.handleJavaScriptDialog")


def test_state_machine_does_not_resume_a_foreign_pause_in_a_shared_tab() -> None:
    play = Requested.open(owned=False, shared=True)
    play.event("Debugger.paused", {"callFrames": [], "reason": "other"}, "S1")
    assert not in_tab(play, "Debugger.resume")


def test_lost_connection_does_not_reload_other_clients_tabs() -> None:
    play = Requested.open(owned=False, shared=True)
    play.dialog()
    play.give(inputs.Disconnected("cut", reconnecting=True))
    assert play.state.unanswerable == frozenset()
    assert play.state.left_at == {}
