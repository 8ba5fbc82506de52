"""The front of ``tabwarden mcp``: what a host gets before the server is imported, and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabwarden.surfaces.mcp.front import Front, Memory

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "host", "version": "1"},
    },
}
LIST = {"jsonrpc": "2.0", "id": "a", "method": "tools/list"}


class Host:
    """A host, and the server behind the front."""

    def __init__(self, file: Path, command: str = "mcp") -> None:
        self.heard: list[Any] = []
        self.passed: list[str | None] = []
        self.front = Front(Memory(file, command), self._hear)

    def _hear(self, text: str) -> None:
        self.heard += [json.loads(line) for line in text.splitlines()]

    def sends(self, *messages: object) -> Host:
        self.front.receive([json.dumps(message) + "\n" for message in messages])
        return self

    def server_answers(self, message_id: object, result: object) -> Host:
        answer = {"jsonrpc": "2.0", "id": message_id, "result": result}
        self.front.send(json.dumps(answer) + "\n")
        return self

    @property
    def results(self) -> dict[Any, Any]:
        return {one["id"]: one["result"] for one in self.heard if "result" in one}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "mcp"


def remember(file: Path) -> None:
    host = Host(file).sends(INITIALIZE, LIST)
    assert host.heard == []
    host.server_answers(0, {"hello": 1}).server_answers("a", {"tools": [1]})
    assert host.results == {0: {"hello": 1}, "a": {"tools": [1]}}


def test_second_start_answers_before_the_server_runs(file: Path) -> None:
    remember(file)
    host = Host(file).sends(INITIALIZE, LIST)
    assert host.results == {0: {"hello": 1}, "a": {"tools": [1]}}
    host.server_answers(0, {"hello": 1}).server_answers("a", {"tools": [1]})
    assert len(host.heard) == 2  # the server's answers go nowhere


def test_the_server_gets_every_line_in_order(file: Path) -> None:
    remember(file)
    host = Host(file).sends(INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    host.front.deliver_to(host.passed.append)
    host.sends(LIST)
    lines = [line and json.loads(line).get("method") for line in host.passed]
    assert lines == ["initialize", "notifications/initialized", None, "tools/list", None]


def test_host_hears_of_a_changed_list_once(file: Path) -> None:
    remember(file)
    host = Host(file).sends(INITIALIZE, LIST).server_answers("a", {"tools": [1, 2]})
    assert host.heard[-1] == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    again = Host(file).sends(INITIALIZE, LIST)
    assert again.results["a"] == {"tools": [1, 2]}


def test_the_front_responds_to_each_request_only_once(file: Path) -> None:
    remember(file)
    host = Host(file).sends(INITIALIZE, LIST, {**LIST, "id": "b"})
    assert host.results.keys() == {0, "a"}
    host.server_answers("b", {"tools": [1, 2, 3]})
    assert host.results["b"] == {"tools": [1, 2, 3]}
    assert Host(file).sends(INITIALIZE, LIST).results["a"] == {"tools": [1]}


def test_the_front_does_not_respond_when_the_server_is_ready(file: Path) -> None:
    remember(file)
    host = Host(file)
    host.front.server_is_ready()
    assert host.sends(INITIALIZE, LIST).heard == []


def test_another_command_or_other_capabilities_get_no_remembered_answer(file: Path) -> None:
    remember(file)
    assert Host(file, "mcp --tools full").sends(INITIALIZE, LIST).heard == []
    params = {**INITIALIZE["params"], "capabilities": {"elicitation": {}}}
    assert Host(file).sends({**INITIALIZE, "params": params}, LIST).heard == []


def test_another_name_of_the_host_gets_the_remembered_answer(file: Path) -> None:
    remember(file)
    params = {**INITIALIZE["params"], "clientInfo": {"name": "other", "version": "2"}}
    assert Host(file).sends({**INITIALIZE, "params": params}).results == {0: {"hello": 1}}


def test_the_front_answers_hosts_without_a_handshake(file: Path) -> None:
    def discover(name: str, version: str = "2026-07-28") -> dict[str, Any]:
        meta = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": {"name": name},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"_meta": meta}
        return {"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": params}

    Host(file).sends(discover("one")).server_answers(0, {"hello": 1})
    assert Host(file).sends(discover("two")).results == {0: {"hello": 1}}
    assert Host(file).sends(discover("two", "2027-01-01")).results == {}


def test_errors_of_the_server_reach_the_host_and_are_not_remembered(file: Path) -> None:
    host = Host(file).sends(INITIALIZE)
    error = {"jsonrpc": "2.0", "id": 0, "error": {"code": -32602, "message": "no"}}
    host.front.send(json.dumps(error))
    assert host.heard == [error]
    assert not file.exists()


def test_messages_of_the_server_reach_the_host(file: Path) -> None:
    remember(file)
    host = Host(file).sends(INITIALIZE)
    asks = {"jsonrpc": "2.0", "id": 0, "method": "roots/list"}  # an ID that the host uses too
    call = {"jsonrpc": "2.0", "id": 7, "result": {"content": []}}
    for message in (asks, call):
        host.front.send(json.dumps(message))
    assert host.heard[-2:] == [asks, call]


@pytest.mark.parametrize(
    "line",
    [
        '{"id": 1, "method": "tools/list", "params": [1]}\n',
        '{"id": 1, "method": "tools/list", "params": {"_meta": [1]}}\n',
        '{"id": 1, "method": ["initialize"]}\n',
        "[" * 100_000,
        "",
        "nonsense\n",
        "[1]\n",
        '{"id": 1}\n',
        '"initialize"\n',
    ],
)
def test_a_malformed_line_goes_to_the_server(file: Path, line: str) -> None:
    host = Host(file)
    host.front.receive([line])
    host.front.deliver_to(host.passed.append)
    assert host.passed == [line, None]
    assert host.heard == []


@pytest.mark.parametrize("content", ["", "[]", "1", "\0", "[" * 100_000])
def test_a_broken_memory_is_no_memory(file: Path, content: str) -> None:
    remember(file)
    (saved,) = file.iterdir()
    saved.write_text(content)
    remember(file)
    assert Host(file).sends(INITIALIZE).results == {0: {"hello": 1}}


def test_a_memory_that_can_not_be_written_only_forgets(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    remember(tmp_path / "file" / "mcp")


def test_the_memory_keeps_only_the_last_commands_and_only_its_user_can_read_it(file: Path) -> None:
    for number in range(30):
        Host(file, str(number)).sends(INITIALIZE).server_answers(0, {})
    assert len([*file.iterdir()]) == 20
    assert {one.stat().st_mode & 0o777 for one in file.iterdir()} == {0o600}
