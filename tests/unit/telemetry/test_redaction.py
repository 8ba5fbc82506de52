"""Text that must not appear in a log line."""

from __future__ import annotations

import pytest

from tabwarden.telemetry import redacted
from tabwarden.telemetry.redaction import (
    body_without_secrets,
    headers_without_secrets,
    url_without_secrets,
)


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
        "AWS_SECRET_ACCESS_KEY=sesame",
        "{'secret_key': 'sesame'}",
        "accessKey=sesame",
        "passphrase=sesame",
        "pwd=sesame",
        "credentials: sesame",
        "jwt=sesame",
        "session_id=sesame",
        "told eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sesame",
    ],
)
@pytest.mark.threat
def test_log_redaction_removes_secrets(text: str) -> None:
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
        ("monkey=1, tokens=2", None),
    ],
)
def test_log_redaction_keeps_other_text(text: str, kept: str | None) -> None:
    assert redacted(text) == (kept or text)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.test/p?q=1&page=2", "https://a.test/p?q=1&page=2"),
        ("https://u:s3cret@a.test/p", "https://a.test/p"),
        ("https://a.test/?access_token=s3cret&q=1", "https://a.test/?access_token=…&q=1"),
        ("https://a.test/?code=s3cret#id_token=s3cret", "https://a.test/?code=…#id_token=…"),
        ("https://a.test/?X-Amz-Credential=s3cret", "https://a.test/?X-Amz-Credential=…"),
        ("https://a.test/eyJhbGciOiJIUzI1NiJ9.s3cret.s3cret/x", "https://a.test/…/x"),
        ("https://a.test/p;jsessionid=s3cret?q=1", "https://a.test/p;jsessionid=…?q=1"),
        ("https://a.test/?PHPSESSID=s3cret", "https://a.test/?PHPSESSID=…"),
        ("https://a.test/?secret_key=s3cret", "https://a.test/?secret_key=…"),
        ("https://a.test/?SAMLResponse=s3cret", "https://a.test/?SAMLResponse=…"),
        ("https://a.test/?oauth_verifier=s3cret", "https://a.test/?oauth_verifier=…"),
        ("https://a.test/a;v=1/b;w", "https://a.test/a;v=1/b;w"),
        ("https://a.test/?token", "https://a.test/?token"),
        ("https://a.test/?zipcode=1&monkey=2", "https://a.test/?zipcode=1&monkey=2"),
        ("about:blank", "about:blank"),
    ],
)
def test_log_redaction_of_a_url_masks_credentials_and_tokens(url: str, shown: str) -> None:
    assert url_without_secrets(url) == shown


def test_log_redaction_of_headers_masks_only_credentials() -> None:
    told = {
        "Authorization": "Bearer s3cret", "cookie": "sid=s3cret", "Set-Cookie": "sid=s3cret",
        "Proxy-Authorization": "Basic s3cret", "X-Api-Key": "s3cret", "X-CSRF-Token": "s3cret",
        "X-Amz-Security-Token": "s3cret", "X-Auth": "s3cret", "X-Session-Id": "s3cret",
        "Location": "https://a.example/?code=s3cret", ":path": "/a?token=s3cret",
        "X-Jot": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s3cret",
    }  # fmt: skip
    assert "s3cret" not in repr(headers_without_secrets(told))
    plain = {
        ":authority": "a.example", "WWW-Authenticate": "Basic", "Access-Control-Allow-Credentials":
        "true", "Sec-WebSocket-Key": "bm9uY2U=", "User-Agent": "A/1.0", "ETag": '"abc"',
    }  # fmt: skip
    assert headers_without_secrets(plain) == plain


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ('{"a": "b", "password": "s3\\"cret", "n": 1}', '{"a": "b", "password": "…", "n": 1}'),
        ('[{"pin": 1234}]', '[{"pin": "…"}]'),
        ("user=ann&password=s3cret&n=1", "user=ann&password=…&n=1"),
        (
            '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\ns3cret\r\n--x--',
            '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n…\r\n--x--',
        ),
        ("a note: 1 = 1", "a note: 1 = 1"),
    ],
)
def test_log_redaction_of_a_body_masks_secret_fields(body: str, shown: str) -> None:
    assert body_without_secrets(body) == shown
