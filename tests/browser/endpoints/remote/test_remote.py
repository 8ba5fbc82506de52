"""Hosted browsers, tested with stubs of their documented APIs and a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hosted import asked, end, stub
from support.providers import APIS, Gate

from tabwarden.budget import Budget
from tabwarden.endpoints import endpoint_of
from tabwarden.errors import (
    EndpointUnreachable,
)
from tabwarden.sync import Browser

pytestmark = pytest.mark.anyio

LOOKING = [scheme for scheme in APIS if "look" in APIS[scheme].calls]
"""The providers whose API returns an existing session."""
SIGNING = [scheme for scheme in LOOKING if scheme != "anchor"]
"""The providers that return a fresh address with it."""


@pytest.fixture
def gate(port: int) -> Iterator[Gate]:
    with Gate(port) as gate:
        yield gate


@pytest.fixture
def dead_gate() -> Iterator[Gate]:
    """A gate without a browser behind it, for failures that happen before a browser is needed."""
    with Gate(9) as gate:
        yield gate


# -- session lifecycle -----------------------------------------------------------------------


@pytest.mark.parametrize("scheme", APIS)
def test_connect_creates_one_hosted_session_and_close_releases_it(
    scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub(scheme, gate, monkeypatch) as provider:
        with Browser.connect(f"{scheme}:") as browser:
            browser.goto("data:text/html,<title>Far</title><button>Go</button>")
            assert browser.evaluate("6 * 7").value == 42
            assert '"Go"' in browser.snapshot().text
            assert not provider.did("release")
        assert [call.does for call in provider.calls if call.does != "live"] == [
            "create",
            "release",
        ]
        assert provider.wrong == []


@pytest.mark.parametrize("scheme", SIGNING)
async def test_reopened_endpoint_joins_its_session_at_a_fresh_address(
    scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub(scheme, gate, monkeypatch) as provider:
        endpoint = endpoint_of(f"{scheme}:")
        first = await endpoint.open(Budget(10_000))
        await first.wire.aclose()
        second = await endpoint.open(Budget(10_000))
        assert gate.entered == 2
        assert len(provider.did("create")) == len(provider.did("look")) == 1
        assert await asked(second.wire)
        for opened in (second, second, first):
            await end(opened)
        assert len(provider.did("release")) == 1
        assert provider.wrong == []


@pytest.mark.parametrize("scheme", ["anchor", "browserless"])
async def test_reopened_endpoint_reuses_the_address_if_no_fresh_one_exists(
    scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.lasting = True
    with stub(scheme, gate, monkeypatch) as provider:
        endpoint = endpoint_of(f"{scheme}:")
        first = await endpoint.open(Budget(10_000))
        await first.wire.aclose()
        second = await endpoint.open(Budget(10_000))
        assert await asked(second.wire)
        assert len(provider.did("create")) == 1
        await end(second)
        assert len(provider.did("release")) == 1


@pytest.mark.parametrize("scheme", LOOKING)
async def test_reopened_endpoint_reports_an_ended_session_and_creates_no_new_session(
    scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub(scheme, gate, monkeypatch) as provider:
        endpoint = endpoint_of(f"{scheme}:")
        opened = await endpoint.open(Budget(10_000))
        await opened.wire.aclose()
        provider.over.add("session-1")
        for _ in range(2):
            with pytest.raises(EndpointUnreachable, match="session-1 has ended") as caught:
                await endpoint.open(Budget(10_000))
            assert caught.value.data["session_over"] is True
        await end(opened)
        assert len(provider.did("create")) == 1
        assert not provider.did("release")


@pytest.mark.parametrize("scheme", LOOKING)
def test_connect_does_not_release_a_session_that_it_joined(
    scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Anchor's documented address of any session.
    monkeypatch.setenv("ANCHOR_CONNECT_URL", f"ws://127.0.0.1:{gate.port}/?sig={gate.token()}")
    with stub(scheme, gate, monkeypatch) as provider:
        with Browser.connect(f"{scheme}:mine-1") as browser:
            browser.goto("data:text/html,joined")
            assert browser.evaluate("document.body.innerText").value == "joined"
        assert {call.does for call in provider.calls} <= {"look", "live"}
        assert provider.wrong == []


async def test_endpoint_creates_a_new_session_after_it_released_the_previous_one(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("steel", gate, monkeypatch) as provider:
        endpoint = endpoint_of("steel:")
        first = await endpoint.open(Budget(10_000))
        await end(first)
        second = await endpoint.open(Budget(10_000))
        await end(first)
        assert len(provider.did("create")) == 2
        await end(second)
        assert [call.path for call in provider.did("release")] == [
            "/v1/sessions/session-1/release",
            "/v1/sessions/session-2/release",
        ]


async def test_opened_endpoint_provides_heartbeat_interval_and_live_view_url(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scheme in APIS:
        with stub(scheme, gate, monkeypatch):
            opened = await endpoint_of(f"{scheme}:").open(Budget(10_000))
            assert opened.attached
            assert not opened.owned
            assert opened.heartbeat_s == (60.0 if scheme == "browserbase" else None)
            seen = None if scheme == "browserless" else "https://live.invalid/session-1"
            assert opened.live_view_url == seen
            await end(opened)


async def test_endpoint_opens_even_if_the_live_view_request_fails(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("browserbase", gate, monkeypatch) as provider:
        provider.fails["live"] = (500, b"")
        opened = await endpoint_of("browserbase:").open(Budget(10_000))
        assert opened.live_view_url is None
        assert await asked(opened.wire)
        await end(opened)


# -- options ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        (
            "browserbase:?keep_alive=true&timeout_s=600&context_id=c-1&region=eu-central-1",
            {
                "projectId": "project-1",
                "keepAlive": True,
                "timeout": 600,
                "region": "eu-central-1",
                "browserSettings": {"context": {"id": "c-1"}},
            },
        ),
        ("browserless:?timeout_s=60", {"ttl": 60_000, "processKeepAlive": 60_000}),
        ("steel:?timeout_s=90.5&proxy=yes", {"timeout": 90_500, "useProxy": True}),
        ("kernel:?timeout_s=3600&stealth=1", {"timeout_seconds": 3600, "stealth": True}),
        (
            "hyperbrowser:?timeout_s=90&profile_id=p-1",
            {"timeoutMinutes": 2, "profile": {"id": "p-1"}},
        ),
        (
            "anchor:?timeout_s=600&idle_timeout_s=120&headless=true",
            {
                "session": {"timeout": {"max_duration": 10, "idle_timeout": 2}},
                "browser": {"headless": {"active": True}},
            },
        ),
        ("browser-use:?timeout_s=600&proxy_country=de", {"timeout": 10, "proxyCountryCode": "de"}),
    ],
)
async def test_endpoint_sends_options_in_the_providers_units(
    address: str, sent: object, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub(address.partition(":")[0], gate, monkeypatch) as provider:
        opened = await endpoint_of(address).open(Budget(10_000))
        await end(opened)
        assert provider.did("create")[0].body == sent


async def test_browserbase_release_request_contains_the_project_option(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub("browserbase", gate, monkeypatch) as provider:
        opened = await endpoint_of("browserbase:?project_id=project-2").open(Budget(10_000))
        await end(opened)
        assert provider.did("create")[0].body["projectId"] == "project-2"
        assert provider.did("release")[0].body["projectId"] == "project-2"


# -- endpoints of other packages ---------------------------------------------------------------


def test_documented_custom_endpoint_controls_a_browser(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[4] / "docs/endpoints.md").read_text("utf-8")
    (code,) = [
        code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "Farm" in code
    ]
    (points,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    ((name, value),) = re.findall(r'(\w+) = "(.*)"', points)
    (tmp_path / f"{value.partition(':')[0]}.py").write_text(code)
    told = tmp_path / "farm-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: farm\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[tabwarden.endpoints]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with Browser.connect(f"{name}:127.0.0.1?port={port}") as browser:
        browser.goto("data:text/html,farmed")
        assert browser.evaluate("document.body.innerText").value == "farmed"
