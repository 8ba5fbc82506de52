"""The errors that a host's rejections become."""

from __future__ import annotations

import json

import pytest

from tabwarden.errors import EndpointUnreachable, LaunchFailed
from tabwarden.fleet.client.dialing import LeaseRefused, _error_of
from tabwarden.fleet.leasing.values import Lease

LEASE = Lease(
    task="a1", tenant="", host_id="n1-1", node="n1", generation=3,
    url="wss://127.0.0.1:1", certificate="", ticket="t",
)  # fmt: skip


def refused(status: int, body: bytes) -> Exception:
    return _error_of(LEASE, status, body)


@pytest.mark.parametrize("cause", ["", "browser ended", "not started"])
def test_rejected_lease_error_contains_reason_and_cause(cause: str) -> None:
    body = json.dumps({"reason": "gone", "cause": cause}).encode()
    over = refused(410, body)
    assert isinstance(over, LeaseRefused)
    assert (str(over), over.cause) == ("gone", cause)


def test_browser_start_error_identifies_the_node() -> None:
    error = refused(502, b'{"error": {"code": "launch_failed", "message": "No sandbox."}}')
    assert isinstance(error, LaunchFailed)
    assert "n1" in error.message
    assert "No sandbox." in error.message
    assert error.data["node"] == "n1"


@pytest.mark.parametrize("status", [401, 404, 410, 502, 503])
@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'"x"', b"null", b'{"error": 7}', b'{"cause": "odd"}', b"\xff"]
)
def test_any_other_rejection_body_becomes_a_tabwarden_error(status: int, body: bytes) -> None:
    error = refused(status, body)
    assert isinstance(error, (LeaseRefused, LaunchFailed, EndpointUnreachable))
    if isinstance(error, EndpointUnreachable):
        assert str(status) in error.message
        assert error.data["node"] == "n1"
