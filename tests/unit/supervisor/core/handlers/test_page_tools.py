"""The documents' page tools, as the browser reports them."""

from __future__ import annotations

from typing import Any

from support.machine_kit import Play

from tabwarden.supervisor.core.handlers.page_tools import tools_of
from tabwarden.supervisor.core.state.inputs import EventReceived, SetPolicy
from tabwarden.supervisor.core.state.policy import DialogPolicy, Policy


def tool(name: str, frame_id: str = "T1", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "", "frameId": frame_id, **more}


def add(play: Play, *tools: dict[str, Any]) -> None:
    play.event("WebMCP.toolsAdded", {"tools": list(tools)}, "S1")


def names(play: Play, frame_id: str = "T1") -> list[str]:
    return [one.name for one in tools_of(play.state, frame_id).tools]


def test_page_tools_are_added_updated_and_removed(one_tab: Play) -> None:
    add(one_tab, tool("a"), tool("b", backendNodeId=3, annotations={"autosubmit": True}))
    add(one_tab, tool("a", annotations={"readOnly": True}))
    a, b = tools_of(one_tab.state, "T1").tools
    assert (a.name, a.read_only, a.is_form) == ("a", True, False)
    assert (b.name, b.is_form, b.submits) == ("b", True, True)
    one_tab.event("WebMCP.toolsRemoved", {"tools": [{"name": "a", "frameId": "T1"}]}, "S1")
    assert names(one_tab) == ["b"]


def test_new_document_starts_without_page_tools(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1")
    add(one_tab, tool("a"), tool("inner", "F"))
    one_tab.navigated(loader="L2")
    assert one_tab.state.page_tools == {}


def test_state_machine_keeps_a_hundred_page_tools_and_counts_the_rest(one_tab: Play) -> None:
    add(one_tab, *(tool(f"t{n}") for n in range(10_000)))
    offers = tools_of(one_tab.state, "T1")
    assert (len(offers.tools), offers.more) == (100, 9_900)
    gone = [{"name": f"t{n}", "frameId": "T1"} for n in (0, 500)]
    one_tab.event("WebMCP.toolsRemoved", {"tools": gone}, "S1")
    offers = tools_of(one_tab.state, "T1")
    assert (len(offers.tools), offers.more) == (99, 9_899)


def test_oversized_tool_schema_does_not_affect_other_tools(one_tab: Play) -> None:
    deep = b'{"a":' * 500 + b"1" + b"}" * 500
    raw = (
        b'{"tools":[{"name":"deep","description":"","frameId":"T1","inputSchema":' + deep + b"},"
        b'{"name":"fine","description":"","frameId":"T1","inputSchema":{"type":"object"}}]}'
    )
    one_tab.give(EventReceived("WebMCP.toolsAdded", "S1", raw))
    kept = {one.name: one for one in tools_of(one_tab.state, "T1").tools}
    assert kept["deep"].schema == deep
    huge = tool("huge", inputSchema={"title": "x" * 20_000})
    add(one_tab, huge)
    assert tools_of(one_tab.state, "T1").tools[-1].schema_dropped
    assert kept["fine"].schema == b'{"type":"object"}'


def test_disabling_page_tools_removes_them_and_disables_the_cdp_domain(one_tab: Play) -> None:
    add(one_tab, tool("a"))
    done = one_tab.give(SetPolicy(DialogPolicy.MUST_RESPOND, 300, {}, page_tools=False))
    assert [send.command.METHOD for send in done.commands] == ["WebMCP.disable"]
    assert one_tab.state.page_tools == {}
    add(one_tab, tool("b"))
    assert one_tab.state.page_tools == {}
    again = one_tab.give(SetPolicy(DialogPolicy.MUST_RESPOND, 300, {}))
    assert [send.command.METHOD for send in again.commands] == ["WebMCP.enable"]


def test_policy_without_page_tools_never_enables_the_cdp_domain() -> None:
    play = Play(policy=Policy(page_tools=False))
    play.attach("X", "SX")
    assert "WebMCP.enable" not in play.sent("SX")
