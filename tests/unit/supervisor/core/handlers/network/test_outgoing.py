"""The state machine's handling of the network policy."""

from __future__ import annotations

import pytest
from support.machine_kit import Play

from tabwarden.egress.gate import NetworkPolicy, Why
from tabwarden.egress.origins import Place
from tabwarden.supervisor.core.handlers.network.outgoing import PROXY_FAILED, why_failed
from tabwarden.supervisor.core.state.inputs import ConnectionFailed, PlaceNamed, SetPolicy
from tabwarden.supervisor.core.state.notices import ConnectionRefused, Noted
from tabwarden.supervisor.core.state.policy import DialogPolicy

ROUTER = Place("192.168.1.1", 80)


def failed(place: Place = ROUTER, why: Why | None = "private") -> ConnectionFailed:
    return ConnectionFailed(place, why, "net::ERR_CONNECTION_REFUSED")


def test_denied_connection_gives_one_note_and_is_reported_each_time(one_tab: Play) -> None:
    one_tab.give(failed())
    one_tab.give(failed())
    (note,) = one_tab.state.notes
    assert (note.kind, note.tab_id) == ("refused", "t1")
    assert note.text == "192.168.1.1:80: it is in a private network"
    assert len(one_tab.told(Noted)) == 1
    assert [told.why for told in one_tab.told(ConnectionRefused)] == ["private"] * 2


def test_connection_failure_without_a_policy_denial_gives_no_note(one_tab: Play) -> None:
    one_tab.give(failed(why=None))
    assert one_tab.state.notes == ()
    behind = why_failed(one_tab.state, "http://192.168.1.1/x", PROXY_FAILED)
    assert behind is not None
    assert behind.words == "net::ERR_CONNECTION_REFUSED"


@pytest.mark.parametrize(("error", "since"), [("net::ERR_FAILED", 0), (PROXY_FAILED, 1)])
def test_denied_connection_is_not_given_as_reason_for_unrelated_or_later_errors(
    error: str, since: int, one_tab: Play
) -> None:
    one_tab.give(failed())
    assert why_failed(one_tab.state, "http://192.168.1.1/", error, since) is None


def test_state_machine_limits_stored_failed_connections_and_notes(one_tab: Play) -> None:
    for number in range(200):
        one_tab.give(failed(Place("10.0.0.1", number + 1)))
    assert len(one_tab.state.failed_connections) == 50
    assert len(one_tab.state.notes) == 20
    assert one_tab.state.connections_failed == 200


def test_changed_network_policy_keeps_the_ports_from_callers_urls(one_tab: Play) -> None:
    one_tab.give(PlaceNamed(Place("localhost", 3000)))
    policy = NetworkPolicy.of([], ["x.example"], private_networks=False)
    one_tab.give(SetPolicy(DialogPolicy.MUST_RESPOND, 300, {}, policy))
    assert one_tab.state.gate.policy == one_tab.state.policy.network == policy
    assert one_tab.state.gate.named_ports == {3000}


def test_gate_records_that_a_document_of_another_host_was_loaded(one_tab: Play) -> None:
    one_tab.navigated(url="http://localhost:3000/")
    assert one_tab.state.gate.only_loopback
    one_tab.navigated(url="https://example.com/")
    one_tab.navigated(url="http://localhost:3000/")
    assert not one_tab.state.gate.only_loopback
