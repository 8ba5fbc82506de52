"""A hand-off in the chat, with the official client: it asks its person, in each protocol's way."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest
from browser.surfaces.mcp.host import Host, hosting

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


async def handed_off(host: Host) -> dict[str, Any]:
    await host.call("browser_navigate", url="about:blank")
    _, data = await host.call("browser_handoff", reason="Type the code", timeout_ms=20_000)
    value: dict[str, Any] = data["value"]
    return value


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_person_in_the_chat_is_done(mode: str) -> None:
    person = Person(action="accept", content={"words": "It is in."})
    async with hosting(mode=mode, elicitation_callback=person) as host:
        value = await handed_off(host)
    assert (value["outcome"], value["words"]) == ("done", "It is in.")
    assert value["by"].startswith("The person in ")
    (asked,) = person.asked
    assert asked.mode == "form"
    assert '"Type the code"' in asked.message


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_person_in_the_chat_refuses(mode: str) -> None:
    async with hosting(mode=mode, elicitation_callback=Person(action="decline")) as host:
        assert (await handed_off(host))["outcome"] == "refused"


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_question_that_is_closed_leaves_the_handoff_to_others(mode: str) -> None:
    async with hosting(mode=mode, elicitation_callback=Person(action="cancel")) as host:
        await host.call("browser_navigate", url="about:blank")
        text, data = await host.call("browser_handoff", reason="Type", timeout_ms=300)
    assert data["value"]["outcome"] == "waiting"
    assert "1 hand-off" in text or "hand-off h-1 waits" in text


async def test_a_client_that_cannot_ask_waits_for_other_people() -> None:
    async with hosting() as host:
        await host.call("browser_navigate", url="about:blank")
        _, data = await host.call("browser_handoff", reason="Type", timeout_ms=300)
        assert data["value"]["outcome"] == "waiting"
        error = await host.fail("browser_handoff", reason="")
        assert error["data"]["field"] == "reason"
