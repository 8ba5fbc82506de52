"""A handoff in the chat, with the official client's elicitation, in each protocol version."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx
import mcp_types as types
import pytest
from browser.surfaces.mcp.host import Host, inside

from tabwarden.actions import DEFAULT_TASK
from tabwarden.surfaces.live.on_demand import served_on_demand
from tabwarden.surfaces.mcp.clients import Clients

pytestmark = pytest.mark.anyio


class Person:
    """Answers the client's elicitations."""

    def __init__(self, **answer: Any) -> None:
        self.answer = types.ElicitResult(**answer)
        self.asked: list[types.ElicitRequestParams] = []

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        _ = context
        self.asked.append(params)
        return self.answer


def chatting(
    person: Person, mode: Any = "legacy", **options: Any
) -> AbstractAsyncContextManager[tuple[Host, Clients]]:
    """A client whose server usually has no live view, so it elicits with a form."""
    return inside(mode=mode, elicitation_callback=person, **options)


async def handed_off(host: Host, reason: str, timeout_ms: float = 20_000) -> dict[str, Any]:
    _, data = await host.call("browser_handoff", reason=reason, timeout_ms=timeout_ms)
    value: dict[str, Any] = data["value"]
    return value


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_person_completes_declines_or_cancels_a_handoff_by_elicitation(mode: str) -> None:
    person = Person(action="accept", content={"message": "It is in."})
    async with chatting(person, mode) as (host, _):
        await host.call("browser_navigate", url="about:blank")
        done = await handed_off(host, "Type the code")
        person.answer = types.ElicitResult(action="decline")
        refused = await handed_off(host, "Type another")
        person.answer = types.ElicitResult(action="cancel")
        left = await handed_off(host, "And another", timeout_ms=300)
    assert (done["outcome"], done["message"]) == ("done", "It is in.")
    assert done["by"].startswith("The person in ")
    assert (refused["outcome"], left["outcome"]) == ("refused", "waiting")
    assert [asked.mode for asked in person.asked] == ["form"] * 3
    assert '"Type the code"' in person.asked[0].message


async def test_handoff_without_elicitation_explains_how_the_user_can_help(
    host: Host,
) -> None:
    await host.call("browser_navigate", url="about:blank")
    text, data = await host.call("browser_handoff", reason="Type", timeout_ms=300)
    assert data["value"]["outcome"] == "waiting"
    assert "Tell your user to run `tabwarden live`" in text
    error = await host.fail("browser_handoff", reason="")
    assert error["data"]["field"] == "reason"


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.threat
async def test_live_view_link_reaches_the_person_but_not_the_model(mode: str) -> None:
    """The link grants control, so no result that the model reads may contain it."""
    person = Person(action="accept")
    async with (
        chatting(person, mode) as (host, clients),
        served_on_demand(clients.view),
        httpx.AsyncClient() as people,
    ):
        await host.call("browser_navigate", url="about:blank")
        text, data, _ = await host.raw("browser_handoff", reason="Log in", timeout_ms=300)
        snapshot, _, _ = await host.raw("browser_snapshot")
        (asked,) = person.asked
        assert isinstance(asked, types.ElicitRequestURLParams)
        page, _, token = asked.url.partition("#")
        entered = await people.post(
            f"{page}enter", json={"token": token}, headers={"origin": page.removesuffix("/live/")}
        )
    assert entered.is_success
    assert "is waiting for a person" in text
    assert not any(secret in text + snapshot + str(data) for secret in (page, token))


@pytest.mark.threat
async def test_agent_cannot_regain_control_by_closing_the_browser() -> None:
    async with chatting(Person(action="cancel")) as (host, clients):
        await host.call("browser_navigate", url="about:blank")
        browser = clients.of(DEFAULT_TASK).session.current
        assert browser is not None
        browser.control.take("Ann")
        for tool in ("browser_close", "browser_connect", "browser_disconnect"):
            text, _, is_error = await host.raw(tool, timeout_ms=300)
            assert is_error
            assert "held_by_person" in text, tool
        assert browser.is_open


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.threat
async def test_elicitation_answer_does_not_end_a_persons_control(mode: str) -> None:
    """The client's operator can answer for the person, so an answer only ends the handoff."""

    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        _ = context, params
        browser = clients.of(DEFAULT_TASK).session.current
        assert browser is not None
        browser.control.take("Ann")
        return types.ElicitResult(action="accept", content={})

    async with inside(mode=mode, elicitation_callback=answer) as (host, clients):
        await host.call("browser_navigate", url="about:blank")
        _, data = await host.call("browser_handoff", reason="Log in", timeout_ms=20_000)
        browser = clients.of(DEFAULT_TASK).session.current
        assert browser is not None
        assert browser.control.holder is not None
        assert browser.control.holder.name == "Ann"
        assert data["value"]["outcome"] == "done"
        text, _, is_error = await host.raw("browser_click", x=1, y=1, timeout_ms=300)
        assert is_error
        assert "held_by_person" in text
