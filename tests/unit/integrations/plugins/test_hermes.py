"""The Hermes plugin's requests to missing, slow or foreign servers."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.other_listener import OtherListener
from support.pace import in_time
from support.serving import TOKEN, Serving, running_server
from support.site import Site

from tabwarden.integrations.hermes.plugin import reach
from tabwarden.integrations.hermes.plugin import server as plugin
from tabwarden.integrations.hermes.plugin.hints import in_hermes
from tabwarden.integrations.hermes.plugin.server import Refused, call


def answering(status: int, body: str) -> Any:
    def respond(request: Any) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body.encode())

    return respond


@pytest.mark.parametrize(
    ("status", "body", "code", "words"),
    [
        (200, "<h1>A router</h1>", "server_unknown", "Set TABWARDEN_URL"),
        (200, "[]", "server_unknown", "Set TABWARDEN_URL"),
        (500, "oops", "server_unknown", "Set TABWARDEN_URL"),
        (401, '{"ok": false, "error": "No."}', "server_token", "Set TABWARDEN_SERVER__TOKEN"),
        (400, '{"ok": false, "error": "Bad ref.", "tabwarden": {"code": "unknown_ref"}}',
         "unknown_ref", "Bad ref."),
    ],
)  # fmt: skip
def test_server_error_response_raises_its_code_and_the_next_step(
    status: int, body: str, code: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Site() as site:
        site.pages["/act"] = answering(status, body)
        monkeypatch.setenv("TABWARDEN_URL", site.here)
        monkeypatch.setenv("TABWARDEN_SERVER__TOKEN", TOKEN)
        with pytest.raises(Refused, match=words) as refused:
            call("a task", "/act", {"kind": "back"})
    assert refused.value.code == code


def test_hermes_plugin_call_without_a_server_says_how_to_start_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABWARDEN_URL", "http://127.0.0.1:9")
    with pytest.raises(Refused, match="Start it: tabwarden serve") as refused:
        call("a", "/act")
    assert refused.value.code == "server_unreachable"


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ('with POST /hooks/dialog {"accept": false, "dialogId": "d-1"}',
         'with browser_dialog {"action": "dismiss", "dialog_id": "d-1"}'),
        ("GET /snapshot?full=true.", "browser_snapshot."),
        ('POST /act {"kind": "evaluate", "fn": "1"}', 'browser_console {"expression": "1"}'),
        ('POST /act {"kind": "hover"}', 'POST /act {"kind": "hover"}'),
        ("Say GET /unknown", "Say GET /unknown"),
    ],
)  # fmt: skip
def test_hints_use_hermes_tool_names(hint: str, shown: str) -> None:
    assert in_hermes([{"a": hint}]) == [{"a": shown}]


# -- which tools Hermes shows ---------------------------------------------------------------------


def shown(monkeypatch: pytest.MonkeyPatch, **access: str) -> list[bool]:
    """Whether Hermes would show ``browser_dialog`` and ``browser_cdp`` to a new agent."""
    for name, value in access.items():
        monkeypatch.setenv(name, value)
    now = reach.Reach()
    return [now.has_dialogs(), now.has_cdp()]


def test_hermes_plugin_hides_cdp_tools_when_no_server_is_listening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert shown(monkeypatch, TABWARDEN_URL="http://127.0.0.1:9") == [False, False]


def test_hermes_plugin_waits_only_briefly_for_an_unresponsive_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, in_time(reach._PATIENCE_S):
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert shown(monkeypatch, TABWARDEN_URL=url, TABWARDEN_SERVER__TOKEN=TOKEN) == [True, True]


@pytest.mark.parametrize(
    ("endpoint", "wanted"), [("", [True, True]), ("camofox:http://127.0.0.1:9", [True, False])]
)
def test_hermes_plugin_shows_only_tools_supported_by_the_browser_of_the_server(
    endpoint: str, wanted: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_server("serve", TABWARDEN_BROWSER__ENDPOINT=endpoint) as server:
        access = {"TABWARDEN_URL": server.url, "TABWARDEN_SERVER__TOKEN": TOKEN}
        assert shown(monkeypatch, **access) == wanted
        if endpoint:  # no browser can be reached there
            with pytest.raises(Refused):
                call("default", "/navigate", {"url": "about:blank"})
            assert shown(monkeypatch, **access) == [False, False]


# -- where the token is sent ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server(state: Path) -> Iterator[Serving]:
    """A server whose token is in the user's file."""
    with running_server("serve", XDG_STATE_HOME=str(state), TABWARDEN_SERVER__TOKEN="") as serving:
        yield serving


@pytest.fixture
def token(state: Path, server: Serving, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    monkeypatch.delenv("TABWARDEN_SERVER__TOKEN", raising=False)
    return (state / "tabwarden/server.token").read_text().strip()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_hermes_plugin_sends_the_token_to_the_users_server(
    name: str, server: Serving, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_URL", server.url.replace("127.0.0.1", name))
    assert token
    assert call("a", "/", method="GET")["running"] is False


@pytest.mark.parametrize(
    ("status", "code"), [(200, "server_unknown"), (404, "server_unknown"), (401, "server_token")]
)
@pytest.mark.threat
def test_hermes_plugin_sends_no_token_to_another_program_on_the_port(
    status: int, code: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OtherListener(status) as other:
        monkeypatch.setenv("TABWARDEN_URL", other.url)
        with pytest.raises(Refused, match=other.url) as refused:
            call("a", "/act", {"kind": "back"})
    assert refused.value.code == code
    assert other.received.startswith(b"GET /proof?nonce=")
    assert token.encode() not in other.received
    assert b"back" not in other.received


@pytest.mark.threat
def test_hermes_plugin_sends_no_token_to_a_program_that_relays_to_the_users_server(
    server: Serving, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OtherListener(real=server.port) as other:
        monkeypatch.setenv("TABWARDEN_URL", other.url)
        with pytest.raises(Refused, match="did not prove") as refused:
            call("a", "/")
    assert refused.value.code == "server_unknown"
    assert token.encode() not in other.received


@pytest.mark.threat
def test_hermes_plugin_sends_a_configured_token_without_proof_only_to_a_configured_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABWARDEN_SERVER__TOKEN", TOKEN)
    with OtherListener() as other:
        monkeypatch.setattr(plugin, "_URL", other.url)
        monkeypatch.delenv("TABWARDEN_URL", raising=False)
        with pytest.raises(Refused, match="did not prove"):
            call("a", "/")
        assert TOKEN.encode() not in other.received
        monkeypatch.setenv("TABWARDEN_URL", other.url)
        assert call("a", "/") == {"ok": True}
        assert TOKEN.encode() in other.received
