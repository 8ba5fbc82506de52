"""A client's request and a host's rejection round-trip between the two sides."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabwarden.fleet.relaying.handshake import (
    BrowserError,
    ConnectionKind,
    RefusalBody,
    path_of,
    read_refusal,
    read_request,
)


@given(st.sampled_from(["browser", "files"]), st.text(), st.integers(0, 10**18 - 1))
@example("browser", "acme~a/../b?generation=7#x%2F", 1)
def test_host_parses_the_clients_handshake_request(
    kind: ConnectionKind, task: str, generation: int
) -> None:
    request = read_request(path_of(kind, task, generation), ["Bearer t"])
    assert request == (kind, task, generation, "t")


@given(st.text(), st.lists(st.text(), max_size=2))
@example("//[/browser/a?generation=1", ["Bearer t"])
@example("/browser/a", ["Bearer t"])
@example("/other/a?generation=1", ["Bearer t"])
@example("/browser/a?generation=1", ["Bearer t", "Bearer t"])
def test_host_rejects_malformed_handshake_requests(path: str, authorization: list[str]) -> None:
    assert read_request(path, authorization) is None


def test_handshake_rejection_round_trips_unchanged() -> None:
    for body in (
        RefusalBody("its node was lost", "browser ended"),
        RefusalBody(error=BrowserError("No sandbox.")),
    ):
        assert read_refusal(msgspec.json.encode(body)) == body


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"null", b'{"cause": "odd"}', b"\xff"])
def test_malformed_handshake_reply_counts_as_a_rejection_without_a_reason(body: bytes) -> None:
    refusal = read_refusal(body)
    assert (refusal.reason, refusal.cause, refusal.error) == ("", "", None)
