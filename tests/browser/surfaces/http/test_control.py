"""Control over HTTP: an operator sees who has it, takes it back, and lists handoffs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from browser.surfaces.http.client import Api
from browser.surfaces.http.test_events import following
from support.eventually import eventually


def test_operator_lists_and_answers_a_handoff(api: Api) -> None:
    with ThreadPoolExecutor() as apart, following(api, types="handoffChanged") as stream:
        call = apart.submit(api.post, "/act", kind="handoff", reason="Log in", timeoutMs=20_000)
        waiting = eventually(lambda: api.get("/handoffs")["handoffs"])
        assert [(one["task"], one["reason"]) for one in waiting] == [("default", "Log in")]
        told = api.post(
            "/handoffs/answer", id=waiting[0]["id"], outcome="done", name="Ann", message="Go on."
        )
        assert (told["holder"], told["waitingHandoffs"]) == (None, [])
        assert told["endedHandoffs"][-1]["askedAt"] == waiting[0]["askedAt"]
        value = call.result(60)["value"]
        outcomes = [stream.until("handoffChanged").data["handoff"]["outcome"] for _ in range(2)]
    assert outcomes == [None, "done"]
    assert value == {"id": waiting[0]["id"], "outcome": "done", "by": "Ann", "message": "Go on."}
    assert api.get("/handoffs")["handoffs"] == []


def test_operator_sees_that_the_agent_has_control(api: Api) -> None:
    told = api.get("/control")
    assert (told["task"], told["holder"]) == ("default", None)
    assert api.post("/control/release")["holder"] is None


@pytest.mark.threat
def test_control_api_has_no_route_that_takes_control(api: Api) -> None:
    paths = api.get("/openapi.json")["paths"]
    routes = {
        f"{method} {path}"
        for path, methods in paths.items()
        for method in methods
        if "control" in path or "handoff" in path
    }
    assert routes == {
        "get /control",
        "post /control/release",
        "get /handoffs",
        "post /handoffs/answer",
    }
