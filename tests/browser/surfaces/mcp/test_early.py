"""Calls that ``tabwarden mcp`` runs before the SDK is imported, and what the SDK then knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.mcp.host import descendants
from browser.surfaces.mcp.raw_host import HELLO, Server
from support.eventually import eventually

PAGE = "data:text/html,<title>Early</title><p>hello"


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    """A server with these variables remembers the answers of earlier starts, if there were any."""
    return {"XDG_CACHE_HOME": str(tmp_path)}


@pytest.fixture
def server(cache: dict[str, str]) -> Iterator[Server]:
    with Server(**cache) as first:
        first.ask("tools/list", {})
        first.hang_up()
        assert first.ended() == 0
    with Server(**cache) as server:
        yield server


def text_of(answer: dict[str, Any]) -> str:
    assert not answer["result"]["isError"], answer
    return str(answer["result"]["content"][0]["text"])


def test_second_start_lists_the_same_tools(cache: dict[str, str]) -> None:
    answers = []
    for _ in range(2):
        with Server(**cache) as server:
            answers.append(server.ask("tools/list", {})["result"])
            server.hang_up()
            assert server.ended() == 0
    assert answers[0] == answers[1]
    assert [*(Path(cache["XDG_CACHE_HOME"]) / "tabwarden" / "mcp").iterdir()]


def test_the_sdk_knows_the_page_that_an_early_call_opened(server: Server) -> None:
    opening = server.begin("browser_navigate", url=PAGE)
    reading = server.begin("browser_snapshot")
    assert "Early" in text_of(server.answer(opening))
    assert "hello" in text_of(server.answer(reading))
    state = server.ask("resources/read", {"uri": "tabwarden://state"})
    tabs = json.loads(state["result"]["contents"][0]["text"])["tabs"]
    assert [tab["title"] for tab in tabs] == ["Early"]
    assert "hello" in text_of(server.answer(server.begin("browser_snapshot")))


def test_host_can_cancel_an_early_call(server: Server) -> None:
    server.answer(server.begin("browser_navigate", url=PAGE))
    waiting = server.begin("browser_wait", text="never", timeout_ms=20_000)
    server.say("notifications/cancelled", {"requestId": waiting, "reason": "changed its mind"})
    server.say("tools/call", {"name": "browser_snapshot"}, id="after")
    heard = server.until("after")
    assert "hello" in text_of(heard[-1])
    assert waiting not in [one.get("id") for one in heard]


def test_server_responds_to_a_request_while_an_early_call_runs(server: Server) -> None:
    server.answer(server.begin("browser_navigate", url=PAGE))
    waiting = server.begin("browser_wait", text="never", timeout_ms=15_000)
    server.say("ping", {}, id="ping")
    server.say("tools/call", {"name": "browser_tabs"}, id="tabs")
    heard = [one.get("id") for one in server.until("tabs")]
    assert "ping" in heard
    assert waiting not in heard


def test_early_call_reports_its_progress(server: Server) -> None:
    server.answer(server.begin("browser_navigate", url=PAGE))
    arguments = {"text": "never", "timeout_ms": 2_500}
    params = {"name": "browser_wait", "arguments": arguments, "_meta": {"progressToken": 7}}
    server.say("tools/call", params, id="slow")
    heard = server.until("slow")
    progress = [one["params"] for one in heard if one.get("method") == "notifications/progress"]
    assert [one["progressToken"] for one in progress] == [7] * len(progress)
    assert progress, heard
    assert heard[-1]["result"]["isError"]


@pytest.mark.parametrize(
    "params",
    [
        {"name": "browser_no_such_tool"},
        {"name": 7},
        {"arguments": {}},
        {"name": "browser_navigate", "arguments": {"url": 7}},
        {"name": "browser_navigate", "arguments": "text"},
    ],
)
def test_a_wrong_first_call_gets_one_error(server: Server, params: dict[str, Any]) -> None:
    server.say("tools/call", params, id="wrong")
    (answer,) = [one for one in server.until("wrong") if one.get("id") == "wrong"]
    assert "error" in answer or answer["result"]["isError"]


def test_host_that_leaves_at_once_ends_the_server(cache: dict[str, str]) -> None:
    with Server(**cache) as server:
        server.say("tools/call", {"name": "browser_navigate", "arguments": {"url": PAGE}}, id=9)
        server.hang_up()
        assert server.ended() == 0


def test_first_start_responds_to_the_handshake_before_a_call(cache: dict[str, str]) -> None:
    with Server(**cache, handshake=False) as server:
        server.say("initialize", HELLO, id="hello")
        server.say("notifications/initialized", {})
        server.say("tools/call", {"name": "browser_tabs"}, id="call")
        heard = [one.get("id") for one in server.until("call")]
    assert heard.index("hello") < heard.index("call")


def test_early_results_have_the_form_of_the_protocol_without_a_handshake(
    cache: dict[str, str],
) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    forms = []
    with Server(**cache, handshake=False) as server:
        for number in range(2):  # the SDK responds to the second one, after it was needed
            params = {"name": "browser_navigate", "arguments": {"url": PAGE}, "_meta": meta}
            server.say("tools/call", params, id=number)
            result = server.answer(number)["result"]
            assert "goto: ok" in result.pop("content")[0]["text"]
            forms.append(result)
            server.say("resources/list", {"_meta": meta}, id=f"{number} resources")
            server.answer(f"{number} resources")
    assert forms[0] == forms[1]


def browsers_of(server: Server) -> list[str]:
    """The command lines of the server's browsers, without their child processes."""
    files = [Path(f"/proc/{pid}/cmdline") for pid in descendants(server.process.pid)]
    lines = [file.read_bytes().replace(b"\0", b" ").decode() for file in files if file.exists()]
    return [line for line in lines if "--user-data-dir" in line and "--type=" not in line]


def test_first_call_uses_the_browser_that_was_launched_early(server: Server) -> None:
    text_of(server.answer(server.begin("browser_navigate", url=PAGE)))
    server.ask("ping", {})
    eventually(lambda: len(browsers_of(server)) == 1)


def test_a_call_with_other_options_gets_another_browser_and_the_early_one_is_closed(
    server: Server,
) -> None:
    opening = server.begin("browser_open", url=PAGE, window_size="600x400")
    text_of(server.answer(opening))
    server.ask("ping", {})
    eventually(lambda: len(browsers_of(server)) == 1)
    assert "--window-size=600,400" in browsers_of(server)[0]
