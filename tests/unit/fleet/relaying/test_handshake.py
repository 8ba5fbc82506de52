"""A client's request, and a host's refusal: what one side writes, the other reads."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.datastructures import Headers
from websockets.http11 import Request

from tabwarden.fleet.hosting.relay import _Asked
from tabwarden.fleet.relaying import ConnectionKind, path_of, read_refusal


@given(st.sampled_from(["browser", "files"]), st.text(), st.integers(0, 10**18 - 1))
@example("browser", "acme~a/../b?generation=7#x%2F", 1)
def test_a_host_reads_what_a_client_asks_for(
    kind: ConnectionKind, task: str, generation: int
) -> None:
    request = Request(path_of(kind, task, generation), Headers({"Authorization": "Bearer t"}))
    assert _Asked.of(request) == (kind, task, generation, "t")


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"null", b'{"cause": "odd"}', b"\xff"])
def test_any_bytes_are_a_refusal_without_a_reason(body: bytes) -> None:
    refusal = read_refusal(body)
    assert (refusal.reason, refusal.cause, refusal.error) == ("", "", None)
