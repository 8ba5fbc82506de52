"""Failures of hosted browsers; secrets stay masked in all of them."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Iterator

import pytest
from support.eventually import eventually_async
from support.hosted import end, failure, stub
from support.pace import in_time
from support.providers import APIS, KEY, Gate

from tabwarden.budget import Budget
from tabwarden.endpoints import endpoint_of
from tabwarden.errors import (
    Cancelled,
    EndpointUnreachable,
    InvalidArgument,
    NotSupported,
    TabwardenError,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def gate(port: int) -> Iterator[Gate]:
    with Gate(port) as gate:
        yield gate


@pytest.fixture
def dead_gate() -> Iterator[Gate]:
    """A gate without a browser behind it, for failures that happen before a browser is needed."""
    with Gate(9) as gate:
        yield gate


# -- failures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b'{"message": "nope"}', "STEEL_API_KEY"),
        (402, b'{"error": {"message": "out of credit"}}', "out of credit"),
        (403, b"", "does not allow"),
        (404, b"", "base URL"),
        (422, b'{"detail": "timeout is too long"}', "timeout is too long"),
        (429, b'{"error": "too many"}', "Wait 7 s"),
        (500, b"<html>oops", "failed \\(HTTP 500\\)"),
        (302, b"", "unexpected status"),
        (200, b"<html>welcome", "not JSON"),
        (200, b"", "not JSON"),
        (200, b'{"id": "x"}', "websocketUrl"),
        (200, b'{"id": 5, "websocketUrl": "ws://x"}', "unexpected JSON"),
        (200, b'{"id": "x", "websocketUrl": "gopher://x"}', "Could not connect"),
        (200, b'{"id": "x", "websocketUrl": ""}', "Could not connect"),
    ],
)
async def test_error_for_each_failed_create_request_has_a_hint(
    status: int, body: bytes, said: str, dead_gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("steel", dead_gate, monkeypatch) as provider:
        provider.fails["create"] = (status, body)
        with pytest.raises(EndpointUnreachable, match=said) as caught:
            await endpoint_of("steel:").open(Budget(5_000))
        assert caught.value.hint
        assert len(provider.did("create")) == 1


async def test_error_for_a_missing_or_malformed_key_identifies_its_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for scheme, api in APIS.items():
        (variable,) = [name for name, value in api.environment("").items() if value == KEY]
        monkeypatch.delenv(variable, raising=False)
        with pytest.raises(EndpointUnreachable, match=variable):
            await endpoint_of(f"{scheme}:").open(Budget(1_000))
        monkeypatch.setenv(variable, "two words")
        with pytest.raises(InvalidArgument, match=variable) as caught:
            await endpoint_of(f"{scheme}:").open(Budget(1_000))
        assert "two words" not in str(caught.value)


async def test_open_endpoint_reports_an_unreachable_provider_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STEEL_API_KEY", KEY)
    for url in ("http://127.0.0.1:9", "http://[::", "nonsense"):
        monkeypatch.setenv("STEEL_BASE_URL", url)
        with pytest.raises(EndpointUnreachable, match="could not be reached"):
            await endpoint_of("steel:").open(Budget(5_000))


async def test_endpoint_releases_a_session_whose_browser_is_unreachable(
    dead_gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead_gate.locked = True
    for scheme in APIS:
        with stub(scheme, dead_gate, monkeypatch) as provider:
            with pytest.raises(EndpointUnreachable, match="Could not connect"):
                await endpoint_of(f"{scheme}:").open(Budget(5_000))
            assert len(provider.did("release")) == 1


async def test_endpoint_releases_a_session_created_after_the_budget_expired(
    dead_gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("steel", dead_gate, monkeypatch) as provider:
        provider.slow_s["create"] = 1.0
        with in_time(0.3), pytest.raises(EndpointUnreachable, match="in time"):
            await endpoint_of("steel:").open(Budget(300))
        await eventually_async(lambda: bool(provider.did("release")))


async def test_canceled_open_returns_at_once_and_releases_a_session_created_later(
    dead_gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("steel", dead_gate, monkeypatch) as provider:
        provider.slow_s["create"] = 1.0
        budget = Budget(20_000)
        threading.Timer(0.2, budget.cancel).start()
        with in_time(0.2), pytest.raises(Cancelled):
            await endpoint_of("steel:").open(budget)
        task = asyncio.ensure_future(endpoint_of("steel:").open(Budget(20_000)))
        await eventually_async(lambda: len(provider.did("create")) == 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await eventually_async(lambda: len(provider.did("release")) == 2)


async def test_endpoint_keeps_its_session_if_a_reconnect_fails(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("steel", gate, monkeypatch) as provider:
        endpoint = endpoint_of("steel:")
        first = await endpoint.open(Budget(10_000))
        await first.wire.aclose()
        gate.locked = True
        with pytest.raises(EndpointUnreachable, match="session-1"):
            await endpoint.open(Budget(5_000))
        gate.locked = False
        third = await endpoint.open(Budget(10_000))
        assert not provider.did("release")
        await end(third)
        assert len(provider.did("release")) == 1


@pytest.mark.parametrize("status", [404, 401, 500])
async def test_endpoint_logs_a_failed_release_and_raises_no_error(
    status: int, gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with stub("steel", gate, monkeypatch) as provider:
        opened = await endpoint_of("steel:").open(Budget(10_000))
        provider.fails["release"] = (status, b"")
        await end(opened)
        # Releasing a session that the provider no longer has costs nothing.
        assert ("could not be released" in caplog.text) == (status != 404)


async def test_browserless_endpoint_rejects_a_session_id() -> None:
    with pytest.raises(NotSupported, match="by its id"):
        endpoint_of("browserless:abc")


async def test_opening_an_unresponsive_hosted_browser_ends_within_the_budget(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.deaf = True
    with stub("steel", gate, monkeypatch) as provider:
        provider.slow_s["release"] = 1.0
        with in_time(1.0), pytest.raises(EndpointUnreachable, match="did not respond in time"):
            await endpoint_of("steel:").open(Budget(1_000))
        await eventually_async(lambda: "session-1" in provider.over)


async def test_concurrent_opens_of_one_endpoint_share_a_session(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("steel", gate, monkeypatch) as provider:
        provider.slow_s["create"] = 0.5
        endpoint = endpoint_of("steel:")
        opening = asyncio.ensure_future(endpoint.open(Budget(10_000)))
        await eventually_async(lambda: bool(provider.did("create")))
        late = await failure(endpoint.open(Budget(100)))
        assert "Another call" in late.message
        second = await endpoint.open(Budget(10_000))
        assert len(provider.did("create")) == 1
        await end(await opening)
        await end(second)
        assert len(provider.did("release")) == 1


# -- secrets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", APIS)
@pytest.mark.threat
async def test_endpoint_logs_errors_and_repr_contain_no_secret(
    scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    seen: list[object] = []
    with stub(scheme, gate, monkeypatch) as provider:
        endpoint = endpoint_of(f"{scheme}:")
        opened = await endpoint.open(Budget(10_000))
        await opened.wire.aclose()
        seen += [endpoint, endpoint.key, opened, vars(opened), endpoint._session]  # type: ignore[attr-defined]
        gate.locked = True
        seen.append(await failure(endpoint.open(Budget(5_000))))
        await end(opened)
        for what in ("create", "release"):
            # A provider that quotes the whole request.
            leak = json.dumps({"message": f"{KEY} at ws://u:{KEY}@h/p?sig=signed-1-c4d81f"})
            provider.fails[what] = (400, leak.encode())
        seen.append(await failure(endpoint_of(f"{scheme}:").open(Budget(5_000))))
        monkeypatch.setenv(provider.api.environment("").copy().popitem()[0], "http://127.0.0.1:9")
        seen.append(await failure(endpoint_of(f"{scheme}:").open(Budget(5_000))))
    shown = caplog.text + " ".join(repr(one) for one in seen)
    shown += json.dumps([one.to_dict() for one in seen if isinstance(one, TabwardenError)])
    assert "created" in shown
    assert KEY not in shown
    assert "signed-" not in shown
