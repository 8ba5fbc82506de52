"""The Hermes plugin's requests, where the server is not what it should be."""

from __future__ import annotations

from typing import Any

import pytest
from support.site import Site

from tabwarden.plugins.hermes.hints import in_hermes
from tabwarden.plugins.hermes.server import Refused, call


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
def test_an_answer_that_fails_has_a_code_and_the_next_step(
    status: int, body: str, code: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Site() as site:
        site.pages["/act"] = answering(status, body)
        monkeypatch.setenv("TABWARDEN_URL", site.here)
        with pytest.raises(Refused, match=words) as refused:
            call("a task", "/act", {"kind": "back"})
    assert refused.value.code == code


def test_without_a_server_it_says_how_to_start_one(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_hints_name_the_tools_of_hermes(hint: str, shown: str) -> None:
    assert in_hermes([{"a": hint}]) == [{"a": shown}]
