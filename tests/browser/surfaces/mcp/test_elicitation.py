"""A hand-off in the chat, with the official client: it asks its person, in each protocol's way."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest
from browser.surfaces.mcp.host import Host, hosting
from mcp import Client

from tabwarden.actions import DEFAULT_TASK
from tabwarden.config import BrowserConfig
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.mcp.clients import Clients
from tabwarden.surfaces.mcp.server import make_server
from tabwarden.toolsets import toolset_of

pytestmark = pytest.mark.anyio


class Person:
    """Answers what the client asks."""

    def __init__(self, **answer: Any) -> None:
        self.answer = types.ElicitResult(**answer)
        self.asked: list[types.ElicitRequestParams] = []

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        _ = context
        self.asked.append(params)
        return self.answer


async def handed_off(host: Host, reason: str, timeout_ms: float = 20_000) -> dict[str, Any]:
    _, data = await host.call("browser_handoff", reason=reason, timeout_ms=timeout_ms)
    value: dict[str, Any] = data["value"]
    return value


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_person_in_the_chat_answers_refuses_or_leaves_it_to_others(mode: str) -> None:
    person = Person(action="accept", content={"words": "It is in."})
    async with hosting(mode=mode, elicitation_callback=person) as host:
        await host.call("browser_navigate", url="about:blank")
        done = await handed_off(host, "Type the code")
        person.answer = types.ElicitResult(action="decline")
        refused = await handed_off(host, "Type another")
        person.answer = types.ElicitResult(action="cancel")
        left = await handed_off(host, "And another", timeout_ms=300)
    assert (done["outcome"], done["words"]) == ("done", "It is in.")
    assert done["by"].startswith("The person in ")
    assert (refused["outcome"], left["outcome"]) == ("refused", "waiting")
    assert [asked.mode for asked in person.asked] == ["form"] * 3
    assert '"Type the code"' in person.asked[0].message


async def test_a_client_that_cannot_ask_waits_for_other_people() -> None:
    async with hosting() as host:
        await host.call("browser_navigate", url="about:blank")
        assert (await handed_off(host, "Type", timeout_ms=300))["outcome"] == "waiting"
        error = await host.fail("browser_handoff", reason="")
        assert error["data"]["field"] == "reason"


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.threat
async def test_a_link_goes_to_the_person_only_and_opening_it_ends_nothing(mode: str) -> None:
    """The link gives control, so no answer that the model reads may have it."""
    person = Person(action="accept")
    clients = Clients(toolset_of("full"), LiveConfig.fixed(BrowserConfig()), at_most=1)
    server = make_server(clients, lambda _: DEFAULT_TASK)
    async with clients.served(), Client(server, mode=mode, elicitation_callback=person) as client:
        host = Host(client)
        await host.call("browser_navigate", url="about:blank")
        browser = clients.of(DEFAULT_TASK).session.current
        assert browser is not None
        browser.control.link = lambda: "http://127.0.0.1:1/live/#secret"
        text, data, _ = await host.raw("browser_handoff", reason="Log in", timeout_ms=300)
        snapshot, _, _ = await host.raw("browser_snapshot")
    (asked,) = person.asked
    assert isinstance(asked, types.ElicitRequestURLParams)
    assert asked.url.endswith("#secret")
    assert "waits for a person" in text
    assert "secret" not in text + snapshot + str(data)
