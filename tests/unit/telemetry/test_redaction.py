"""What a log line may not say."""

from __future__ import annotations

import pytest

from tabwarden.telemetry import redacted


@pytest.mark.parametrize(
    "text",
    [
        "no browser at wss://cdp.example/devtools?token=sesame&x=1.",
        "no browser at wss://user:sesame@cdp.example:9222/",
        "https://cdp.example/sesame/devtools (a path may be a key too)",
        "Authorization: Bearer sesame",
        "headers {'Authorization': 'Basic sesame', 'x': 1}",
        "cookie: session=sesame; other=1",
        "token=sesame",
        '{"api_key": "sesame"}',
        "apiKey=sesame",
        "?key=sesame&next=1",
        "password: sesame",
        "X-API-Key: sesame",
        "connectionToken=sesame",
    ],
)
def test_secrets_go(text: str) -> None:
    assert "sesame" not in redacted(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("the socket closed: no close frame received or sent", None),
        ("killed by signal 9", None),
        ("no browser at ws://127.0.0.1:9222/devtools/1", "no browser at ws://127.0.0.1:9222"),
        ("see https://[::1]:1/x, then", "see https://[::1]:1, then"),
        ("not an address: http://[", "not an address: an address"),
        ("pressed key Enter in keyboard.py", None),
    ],
)
def test_the_rest_stays(text: str, kept: str | None) -> None:
    assert redacted(text) == (kept or text)
