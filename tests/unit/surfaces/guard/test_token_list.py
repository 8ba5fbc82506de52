"""The token list: creation, lookup, rotation, revocation and expiry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.token_file import DEFAULT_ALLOW, TokenList, digest_of

NOW = datetime(2026, 11, 26, tzinfo=UTC)
HOUR = timedelta(hours=1)


def found(tokens: TokenList, secret: str, now: datetime = NOW) -> str | None:
    token = tokens.find(digest_of(secret), now)
    return None if token is None else token.name


def test_token_lookup_matches_only_the_secret() -> None:
    tokens = TokenList().create("ci", "one", NOW).create("bot", "two", NOW, tenant="ci")
    assert [found(tokens, secret) for secret in ("one", "two", "", "ci")] == [
        "ci", "bot", None, None,
    ]  # fmt: skip
    principal = tokens.named("bot").principal
    assert (principal.name, principal.tenant, principal.is_operator) == ("bot", "ci", False)
    assert principal.permissions == frozenset(DEFAULT_ALLOW)


def test_new_token_lacks_live_and_attach_permissions_unless_requested() -> None:
    assert "live" not in DEFAULT_ALLOW
    assert "attach" not in DEFAULT_ALLOW
    allowed = TokenList().create("ci", "one", NOW, allow=["attach", "read"]).named("ci").allow
    assert allowed == ("read", "attach")


def test_token_is_invalid_after_it_expires() -> None:
    tokens = TokenList().create("ci", "one", NOW, expires=NOW + HOUR)
    assert found(tokens, "one", NOW + HOUR - timedelta(seconds=1)) == "ci"
    assert found(tokens, "one", NOW + HOUR) is None


def test_rotation_expires_the_last_secret_at_its_deadline_and_older_ones_at_once() -> None:
    first = TokenList().create("ci", "one", NOW, max_tasks=3)
    second = first.rotate("ci", "two", NOW + HOUR)
    assert [found(second, secret) for secret in ("one", "two")] == ["ci", "ci"]
    assert [found(second, secret, NOW + HOUR) for secret in ("one", "two")] == [None, "ci"]
    third = second.rotate("ci", "three", NOW)
    assert [found(third, secret) for secret in ("one", "two", "three")] == [None, None, "ci"]
    assert third.named("ci").max_tasks == 3


def test_rotating_an_expired_token_revives_no_secret() -> None:
    tokens = TokenList().create("ci", "one", NOW, expires=NOW).rotate("ci", "two", NOW + HOUR)
    assert [found(tokens, secret) for secret in ("one", "two")] == [None, None]


def test_revoked_token_is_removed_from_the_list() -> None:
    tokens = TokenList().create("ci", "one", NOW).create("bot", "two", NOW).revoke("ci")
    assert [found(tokens, secret) for secret in ("one", "two")] == [None, "bot"]


@pytest.mark.parametrize(
    ("name", "tenant", "most", "field"),
    [
        ("ci", None, None, "name"),
        ("", None, None, "name"),
        ("../x", None, None, "name"),
        ("a~b", None, None, "name"),
        ("A", None, None, "name"),
        ("b", "", None, "tenant"),
        ("b", "A", None, "tenant"),
        ("b", "a/b", None, "tenant"),
        ("b", "x" * 33, None, "tenant"),
        ("b", None, 0, "max_tasks"),
    ],
)
def test_token_creation_error_identifies_the_invalid_field_and_changes_nothing(
    name: str, tenant: str | None, most: int | None, field: str
) -> None:
    tokens = TokenList().create("ci", "one", NOW)
    with pytest.raises(InvalidArgument) as caught:
        tokens.create(name, "two", NOW, tenant=tenant, max_tasks=most)
    assert caught.value.data["field"] == field
    assert found(tokens, "one") == "ci"


@pytest.mark.parametrize("change", ["rotate", "revoke"])
def test_unknown_token_error_lists_the_existing_tokens(change: str) -> None:
    tokens = TokenList().create("ci", "one", NOW)
    with pytest.raises(InvalidArgument, match="'cj'") as caught:
        tokens.revoke("cj") if change == "revoke" else tokens.rotate("cj", "two", NOW)
    assert "ci" in caught.value.hint


@pytest.mark.threat
@given(secret=st.text(min_size=8))
def test_token_list_never_stores_a_secret(secret: str) -> None:
    tokens = TokenList().create("ci", secret, NOW).rotate("ci", "other", NOW + HOUR)
    kept = msgspec.json.encode(tokens).decode()
    if secret not in msgspec.json.encode(TokenList().create("ci", "other", NOW)).decode():
        assert secret not in kept
    assert found(tokens, secret) == "ci"
