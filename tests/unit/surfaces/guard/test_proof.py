"""A server proves its knowledge of a token to clients that know it, at its own address only."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tabwarden.surfaces.guard.token_file import change_tokens
from tabwarden.surfaces.guard.tokens import Tokens

OWN = "a-token-of-the-tests-0123456789"
NONCE = "0a" * 32


def mac(token: str, words: str) -> str:
    key = sha256(token.encode()).hexdigest().encode()
    return hmac.new(key, words.encode(), "sha256").hexdigest()


def asked(token: str = OWN, query: str = "", **changed: Any) -> dict[str, Any]:
    """A request for a proof, as an ASGI scope."""
    query = query or f"nonce={NONCE}&mac={mac(token, f'client {NONCE}')}"
    return {
        "type": "http", "path": "/proof", "method": "GET", "query_string": query.encode(),
        "server": ("127.0.0.1", 8414), **changed,
    }  # fmt: skip


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    now = datetime.now(UTC)
    path = tmp_path / "tokens.json"
    change_tokens(path, lambda tokens: tokens.create("acme", "tabwarden_before", now))
    later = now + timedelta(hours=1)
    change_tokens(path, lambda tokens: tokens.rotate("acme", "tabwarden_after", later))
    return Tokens(OWN, path)


@pytest.mark.parametrize("token", [OWN, "tabwarden_before", "tabwarden_after"])
def test_server_sends_its_proof_to_a_client_that_knows_a_token(token: str, tokens: Tokens) -> None:
    assert tokens.proof(asked(token)) == mac(token, f"server {NONCE} 127.0.0.1 8414")


@pytest.mark.threat
def test_server_proof_is_valid_for_one_address_only(tokens: Tokens) -> None:
    places = [("127.0.0.1", 8414), ("127.0.0.1", 8415), ("127.0.0.2", 8414), ("::1", 8414)]
    assert len({tokens.proof(asked(server=place)) for place in places}) == len(places)


@pytest.mark.parametrize(
    "request_",
    [
        asked("another-token-0123456789"),
        asked(query=f"nonce={NONCE}"),
        asked(query=f"nonce={NONCE}&mac="),
        asked(query=f"nonce=&mac={mac(OWN, 'client ')}"),
        asked(query=f"nonce={NONCE[2:]}&mac={mac(OWN, f'client {NONCE[2:]}')}"),
        asked(query=f"nonce={NONCE.upper()}&mac={mac(OWN, f'client {NONCE.upper()}')}"),
        asked(query=f"nonce={NONCE}&mac={mac(OWN, f'client {NONCE}')}&task=a"),
        asked(query=f"nonce={NONCE}&mac={mac(OWN, f'server {NONCE} 127.0.0.1 8414')}"),
        asked(query="\xe9" * 140),
        asked(path="/proof/"),
        asked(method="POST"),
        asked(type="websocket"),
    ],
)
@pytest.mark.threat
def test_server_sends_no_proof_for_an_invalid_request(
    request_: dict[str, Any], tokens: Tokens
) -> None:
    assert tokens.proof(request_) is None
