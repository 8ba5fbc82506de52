"""Page tools (WebMCP): the tools that documents currently offer.

The browser does not report that tools are removed with their document, so we treat a new document
as having no tools. A document from the back-forward cache reports its tools before the browser
reports the document, so we request the tools again.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import Event, Record, page, web_mcp
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import FrameTools, PageTool
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_MOST_TOOLS = 100
"""How many tools we keep per document. A page may register any number of tools."""
_LONGEST_SCHEMA = 20_000
"""The maximum size of a tool's schema in bytes. Ordinary schemas have a few hundred bytes."""
_LONGEST_DESCRIPTION = 2_000
_NONE = FrameTools()


# Chromium 156 does not send ``toolId`` yet, which the generated bindings require. We also leave the
# schema undecoded, because a schema that is nested too deeply would make the whole message
# unreadable.
class _Tool(Record, frozen=True, kw_only=True, rename="camel"):
    name: str
    frame_id: str
    description: str = ""
    input_schema: msgspec.Raw = msgspec.Raw()
    annotations: web_mcp.Annotation | None = None
    backend_node_id: int | None = None


class ToolsAdded(Event, frozen=True, kw_only=True):
    METHOD = web_mcp.ToolsAdded.METHOD

    tools: list[_Tool]


class _Removed(Record, frozen=True, kw_only=True, rename="camel"):
    name: str
    frame_id: str


class ToolsRemoved(Event, frozen=True, kw_only=True):
    METHOD = web_mcp.ToolsRemoved.METHOD

    tools: list[_Removed]


def begin(turn: Turn, session_id: str) -> None:
    """Request a new session's tools. A browser without the domain rejects the command, which does
    no harm.
    """
    if turn.state.policy.page_tools:
        turn.send(web_mcp.Enable(), session_id)


def switched(turn: Turn, *, on: bool) -> None:
    """Turn page tools on or off, after a change of the configuration."""
    for session_id in turn.state.sessions:
        turn.send(web_mcp.Enable() if on else web_mcp.Disable(), session_id)
    if not on:
        turn.drop("page_tools", *turn.state.page_tools)


def connected(turn: Turn, _: inputs.Connected) -> None:
    """Forget the tools, because each session reports them again on a new connection."""
    turn.drop("page_tools", *turn.state.page_tools)


def added(turn: Turn, event: ToolsAdded, session_id: str | None) -> None:
    if turn.state.session(session_id) is None or not turn.state.policy.page_tools:
        return
    tools_by_frame: dict[str, FrameTools] = {}
    for tool in event.tools:
        known = tools_by_frame.get(tool.frame_id) or turn.state.page_tools.get(tool.frame_id, _NONE)
        tools_by_frame[tool.frame_id] = _with(known, _kept(tool))
    for frame_id, tools in tools_by_frame.items():
        turn.put("page_tools", frame_id, tools)


def removed(turn: Turn, event: ToolsRemoved, _session_id: str | None) -> None:
    for gone in event.tools:
        known = turn.state.page_tools.get(gone.frame_id, _NONE)
        left = tuple(tool for tool in known.tools if tool.name != gone.name)
        more = known.more if len(left) < len(known.tools) else max(0, known.more - 1)
        _put(turn, gone.frame_id, replace(known, tools=left, more=more))


def navigated(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """Remove the tools of a frame and of its former child frames."""
    _sweep(turn)
    turn.drop("page_tools", event.frame.id)
    if event.type == "BackForwardCacheRestore" and turn.state.policy.page_tools:
        turn.send(web_mcp.Disable(), session_id)
        turn.send(web_mcp.Enable(), session_id)


def detached(turn: Turn, _event: page.FrameDetached, _session_id: str | None) -> None:
    _sweep(turn)


def tools_of(state: SupervisorState, frame_id: str) -> FrameTools:
    """Return the tools of a frame's document."""
    known: FrameTools = state.page_tools.get(frame_id, _NONE)
    return known


def _sweep(turn: Turn) -> None:
    turn.drop("page_tools", *(turn.state.page_tools.keys() - turn.state.frames.keys()))


def _put(turn: Turn, frame_id: str, tools: FrameTools) -> None:
    if tools.tools or tools.more:
        turn.put("page_tools", frame_id, tools)
    else:
        turn.drop("page_tools", frame_id)


def _with(known: FrameTools, tool: PageTool) -> FrameTools:
    names = [one.name for one in known.tools]
    if tool.name in names:
        at = names.index(tool.name)
        return replace(known, tools=(*known.tools[:at], tool, *known.tools[at + 1 :]))
    if len(names) >= _MOST_TOOLS:
        return replace(known, more=known.more + 1)
    return replace(known, tools=(*known.tools, tool))


def _kept(tool: _Tool) -> PageTool:
    schema = bytes(tool.input_schema)
    says = tool.annotations or web_mcp.Annotation()
    return PageTool(
        name=tool.name,
        description=tool.description[:_LONGEST_DESCRIPTION],
        schema=schema if len(schema) <= _LONGEST_SCHEMA else b"",
        schema_dropped=len(schema) > _LONGEST_SCHEMA,
        read_only=bool(says.read_only),
        consequential=bool(says.consequential),
        is_form=tool.backend_node_id is not None,
        submits=bool(says.autosubmit),
    )


EVENTS = (
    (ToolsAdded, added),
    (ToolsRemoved, removed),
    (page.FrameNavigated, navigated),
    (page.FrameDetached, detached),
)
INPUTS = ((inputs.Connected, connected),)
