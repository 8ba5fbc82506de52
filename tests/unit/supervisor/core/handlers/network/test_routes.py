"""Which route applies to a request, and the commands that the machine sends."""

from __future__ import annotations

from typing import Any

import pytest
from support.machine_kit import Play

from tabwarden.egress.gate import NetworkPolicy
from tabwarden.errors import Denied, InvalidArgument, TabwardenError
from tabwarden.page.routing.route import does
from tabwarden.page.routing.wanted import AskedRoute, wanted_route
from tabwarden.protocol import fetch, target
from tabwarden.supervisor.core import machine
from tabwarden.supervisor.core.state.inputs import (
    AddRoute,
    Disconnected,
    RemoveRoutes,
    SetPolicy,
    Tick,
)
from tabwarden.supervisor.core.state.policy import DialogPolicy
from tabwarden.vault import Contents, Vault
from tabwarden.vault.reading import Held
from tabwarden.vault.totp import parse_seed


def add(play: Play, url: str | None = None, **asked: Any) -> None:
    play.give(AddRoute(wanted_route(AskedRoute(url, **asked))))


def request(
    play: Play, url: str, session_id: str = "S1", request_id: str = "R1", **fields: Any
) -> list[Any]:
    """The commands that answer a paused request."""
    headers = fields.pop("headers", {})
    kind = fields.pop("kind", "XHR")
    asked = {"url": url, "method": "GET", "headers": headers, "initialPriority": "High",
             "referrerPolicy": "origin", **fields}  # fmt: skip
    done = play.event(
        "Fetch.requestPaused",
        {"requestId": request_id, "request": asked, "frameId": "T1", "resourceType": kind},
        session_id,
    )
    return [one.command for one in done.commands]


def test_state_machine_intercepts_all_requests_only_while_a_route_exists(one_tab: Play) -> None:
    one_tab.commands.clear()
    add(one_tab, abort="failed")
    add(one_tab, "**/x", body="x")
    one_tab.give(RemoveRoutes(frozenset({1})))
    one_tab.give(RemoveRoutes(frozenset({2})))
    enabled = [s.command for s in one_tab.commands if isinstance(s.command, fetch.Enable)]
    assert [[p.resource_type for p in one.patterns or ()] for one in enabled] == [
        [None], ["Document"],
    ]  # fmt: skip
    attached = [s.command for s in one_tab.commands if isinstance(s.command, target.SetAutoAttach)]
    kinds = [{f.type for f in one.filter or ()} for one in attached]
    assert kinds[0] - kinds[1] == {"service_worker", "shared_worker"}


def test_latest_matching_route_wins(one_tab: Play) -> None:
    add(one_tab, "**/a*", abort="timedout")
    add(one_tab, "**/ab", body="x", method="post")
    add(one_tab, resource_type=["image", "fetch"], abort="failed", times=1)
    (image,) = request(one_tab, "http://x/ab", kind="Image")
    (again,) = request(one_tab, "http://x/ab", kind="Image")
    (post,) = request(one_tab, "http://x/ab", method="POST")
    (other,) = request(one_tab, "http://x/b")
    assert (image.error_reason, again.error_reason) == ("Failed", "TimedOut")
    assert isinstance(post, fetch.FulfillRequest)
    assert isinstance(other, fetch.ContinueRequest)
    assert [one.matched for one in one_tab.state.routes] == [1, 1, 1]


@pytest.mark.parametrize("asked", [{"headers": {"x": "1"}}, {"delay_ms": 1_000.0}])
def test_route_cannot_bypass_the_network_policy(asked: dict[str, Any], one_tab: Play) -> None:
    policy = NetworkPolicy.of([], ["evil.example"], private_networks=False)
    one_tab.give(SetPolicy(DialogPolicy.MUST_RESPOND, 300, {}, policy))
    add(one_tab, **asked)
    request(one_tab, "https://evil.example/", kind="Document")
    one_tab.clock += 2
    one_tab.give(Tick())
    last = one_tab.commands[-1].command
    assert isinstance(last, fetch.FailRequest)
    add(one_tab, body="mocked")
    (mocked,) = request(one_tab, "https://evil.example/", kind="Document")
    assert isinstance(mocked, fetch.FulfillRequest), "nothing leaves the machine"


def test_delayed_request_continues_when_due_or_when_its_route_is_removed(one_tab: Play) -> None:
    add(one_tab, delay_ms=1_000, body="late")
    assert request(one_tab, "http://x/1", request_id="R1") == []
    assert machine.next_deadline(one_tab.state) == one_tab.clock + 1
    one_tab.clock += 0.5
    assert request(one_tab, "http://x/2", request_id="R2") == []
    one_tab.clock += 0.5
    (due,) = one_tab.give(Tick()).commands
    assert isinstance(due.command, fetch.FulfillRequest)
    (freed, *_) = one_tab.give(RemoveRoutes(frozenset({1}))).commands
    assert isinstance(freed.command, fetch.ContinueRequest)
    assert not one_tab.state.delayed


def test_delayed_document_continues_on_its_session_when_loading_stops(one_tab: Play) -> None:
    add(one_tab, delay_ms=1_000)
    request(one_tab, "http://x/1", kind="Document")
    done = one_tab.event("Page.frameStoppedLoading", {"frameId": "T1"}, "S2")
    (sent,) = (s for s in done.commands if isinstance(s.command, fetch.ContinueRequest))
    assert sent.session_id == "S1"


def test_disconnect_drops_delayed_requests_and_keeps_routes(one_tab: Play) -> None:
    add(one_tab, delay_ms=1_000)
    request(one_tab, "http://x/1")
    one_tab.give(Disconnected("cut", reconnecting=True))
    assert not one_tab.state.delayed
    assert len(one_tab.state.routes) == 1


def test_route_answers_a_cors_preflight_only_for_a_mocked_request(one_tab: Play) -> None:
    headers = {"Origin": "http://y", "Access-Control-Request-Method": "PUT"}
    add(one_tab, "**/a", headers={"x": "1"}, method="PUT")
    (passed,) = request(one_tab, "http://x/a", method="OPTIONS", headers=headers)
    assert passed == fetch.ContinueRequest(request_id="R1")
    add(one_tab, "**/a", body="x", method="PUT")
    (answered,) = request(one_tab, "http://x/a", method="OPTIONS", headers=headers)
    told = {one.name: one.value for one in answered.response_headers}
    assert (answered.response_code, told["Access-Control-Allow-Methods"]) == (204, "PUT")
    assert told["Access-Control-Allow-Origin"] == "http://y"


def test_state_machine_applies_routes_to_a_new_target_before_it_runs(one_tab: Play) -> None:
    """A popup, a replaced tab and, through the browser's session, a service worker."""
    add(one_tab, body="x")
    for kind, session_id in (("page", "S2"), ("service_worker", "W1"), ("shared_worker", "W2")):
        one_tab.attach(f"T{session_id}", session_id, kind=kind)
        told = [s.command for s in one_tab.commands if s.session_id == session_id]
        (enabled,) = [one for one in told if isinstance(one, fetch.Enable)]
        assert [one.resource_type for one in enabled.patterns or ()] == [None]
        assert told.index(enabled) < len(told) - 1
        assert told[-1].METHOD == "Runtime.runIfWaitingForDebugger"
    assert one_tab.state.worker_sessions == {"W1": "TW1", "W2": "TW2"}
    (mocked,) = request(one_tab, "http://x/1", "W1")
    assert isinstance(mocked, fetch.FulfillRequest)
    one_tab.give(RemoveRoutes(frozenset({1})))
    left = [s.command for s in one_tab.commands if isinstance(s.command, target.DetachFromTarget)]
    assert [one.session_id for one in left] == ["W1", "W2"]
    assert one_tab.state.worker_sessions == {}


def test_workers_of_other_tasks_run_without_routes() -> None:
    play = Play.connected("C")
    play.open_page()
    add(play, body="x")
    play.attach("TW", "W", kind="service_worker", context="D")
    told = [s.command.METHOD for s in play.commands if s.session_id == "W"]
    assert told == ["Runtime.runIfWaitingForDebugger"]
    assert play.state.worker_sessions == {}


def test_route_sends_a_secret_header_only_to_its_own_sites(one_tab: Play) -> None:
    vault = Vault()
    held = Held(name="KEY", text="s3cret", origins=("https://a.test",))
    vault.hold(Contents({"KEY": held}, {}))
    headers = {"X-Key": "Key {{KEY}}", "X-B": "b"}
    one_tab.give(AddRoute(wanted_route(AskedRoute(headers=headers), vault)))
    assert "s3cret" not in f"{does(one_tab.state.routes[0])} {one_tab.state.routes[0]!r}"

    def sent(url: str, **headers: str) -> dict[str, str]:
        (command,) = request(one_tab, url, headers=headers)
        return {one.name: one.value for one in command.headers or ()}

    assert sent("https://a.test/x") == {"X-Key": "Key s3cret", "X-B": "b"}
    assert sent("https://b.test/x") == {"X-B": "b"}
    assert sent("http://a.test/x") == {"X-B": "b"}
    # A redirected request has the first request's headers.
    assert sent("https://b.test/y", **{"x-key": "Key s3cret", "X-C": "c"}) == {
        "X-C": "c",
        "X-B": "b",
    }
    add(one_tab, "**/c", delay_ms=0, headers={"X-D": "d"})
    assert sent("https://b.test/c", **{"x-key": "Key s3cret"}) == {"X-D": "d"}


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        ("{{NONE}}", InvalidArgument, "no secret NONE"),
        ("{{CODE}}", InvalidArgument, "one-time code"),
        ("{{LINES}}", InvalidArgument, "a single line"),
        ("{{KEY}} {{OTHER}}", Denied, "No site may receive all of these secrets: KEY, OTHER"),
    ],
)
def test_route_rejects_a_header_with_an_unusable_secret(
    value: str, error: type[TabwardenError], words: str
) -> None:
    vault = Vault()
    a, b = ("https://a.test",), ("https://b.test",)
    held = [
        Held(name="KEY", text="s3cret", origins=a),
        Held(name="OTHER", text="0ther", origins=b),
        Held(name="LINES", text="a\nb", origins=a),
        Held(name="CODE", text="GEZDGNBV", totp=parse_seed("GEZDGNBV"), origins=a),
    ]
    vault.hold(Contents({one.name: one for one in held}, {}))
    with pytest.raises(error, match=words) as refused:
        wanted_route(AskedRoute(headers={"X-Key": value}), vault)
    assert refused.value.data["field"] == "headers"
