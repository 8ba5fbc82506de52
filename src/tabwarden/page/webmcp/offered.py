"""Find the tools that a tab's frames offer, and find a tool by its name."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.task import Call
from tabwarden.page.text import Lines, quoted, shortened
from tabwarden.page.walker import frame_not_found
from tabwarden.page.webmcp.schema import parameters
from tabwarden.protocol import repair_surrogates
from tabwarden.supervisor.core.handlers import tools_of
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame, FrameTools, PageTool

_MOST_NAMES = 20
_MOST_TOOLS = 10
_DESCRIPTION = 160
_NAME = 140
"""The maximum length of a tool's name in a message. Chromium's limit is 128."""
_WHEN_OFFERED = (
    "A page can offer tools only on https or localhost, in a browser with WebMCP (Tabwarden's "
    "own browsers have it; in Chromium, start with --enable-features=WebMCP)."
)


def list_tools(call: Call, frame_id: str | None) -> dict[str, Any]:
    """Return ``{"tools": [...], "left_out": 0}``: all known tools in the tab.

    Raises:
        FrameNotFound: the frame does not exist.
    """
    frames = _frames(call, frame_id)
    return {
        "tools": [_describe(frame, tool) for frame, offers in frames for tool in offers.tools],
        "left_out": sum(offers.more for _, offers in frames),
    }


def offers_tools(state: SupervisorState, tab_id: str) -> bool:
    """Whether a document in the tab offers a tool."""
    return any(_is_in(state, tab_id, frame_id) for frame_id in state.page_tools)


def find_tool(call: Call, name: str, frame_id: str | None) -> tuple[Frame, PageTool]:
    """Return the tool with a name, and its frame. A tool in the top frame takes precedence.

    Raises:
        FrameNotFound: the frame does not exist.
        InvalidArgument: no frame offers the tool, or several frames below the top one do.
    """
    frames = _frames(call, frame_id)
    matches = [
        (frame, tool) for frame, offers in frames for tool in offers.tools if tool.name == name
    ]
    top = call.state.top_frame_id(call.tab.tab_id)
    if matches and (len(matches) == 1 or matches[0][0].frame_id == top):
        return matches[0]
    if matches:
        listed = ", ".join(frame.frame_id for frame, _ in matches)
        raise InvalidArgument(
            f"{len(matches)} frames offer a tool {quoted(name)}: {listed}.",
            "Specify one of these frames.",
            field="frame_id",
        )
    uncounted = next((frame for frame, offers in frames if offers.more), None)
    if uncounted is not None:  # the frame offers more tools than we store
        return uncounted, PageTool(name=name)
    raise no_tool_error(call, name, frame_id)


def no_tool_error(call: Call, name: str, frame_id: str | None) -> InvalidArgument:
    """Return the error for a tool that does not exist, or no longer exists."""
    names = [tool.name for _, offers in _frames(call, frame_id) for tool in offers.tools]
    where = "This page" if frame_id is None else f"The frame {frame_id}"
    listed = ", ".join(shortened(quoted(one), _NAME) for one in names[:_MOST_NAMES])
    others = len(names) - _MOST_NAMES
    more = f" and {others} more" if others > 0 else ""
    return InvalidArgument(
        f"{where} offers no tool {shortened(quoted(name), _NAME)}.",
        Hint(f"Its tools are: {listed}{more}", ("; list them: ", Next("page_tool")), ".")
        if names
        else f"It offers no tools. {_WHEN_OFFERED}",
        field="name",
    )


def _frames(call: Call, frame_id: str | None) -> list[tuple[Frame, FrameTools]]:
    """Return the frames with tools, the top frame first."""
    state, tab_id = call.state, call.tab.tab_id
    if frame_id is not None and not _is_in(state, tab_id, frame_id):
        raise frame_not_found(frame_id)
    top = state.top_frame_id(tab_id)
    ids = [one for one in state.page_tools if _is_in(state, tab_id, one)]
    ids = [one for one in ids if frame_id in (None, one)]
    ids.sort(key=lambda one: one != top)
    return [(state.frames[one], tools_of(state, one)) for one in ids]


def _is_in(state: SupervisorState, tab_id: str, frame_id: str) -> bool:
    frame = state.frames.get(frame_id)
    return frame is not None and state.tab_id_of_session(frame.session_id) == tab_id


def _describe(frame: Frame, tool: PageTool) -> dict[str, Any]:
    description: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "frame_id": frame.frame_id,
        "schema": _schema(tool),
    }
    if tool.schema_dropped:
        description["schema_dropped"] = True
    return {**description, "traits": traits(tool)} if traits(tool) else description


def _schema(tool: PageTool) -> Any:
    try:
        return msgspec.json.decode(repair_surrogates(tool.schema)) if tool.schema else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def tool_lines(offers: FrameTools, depth: int) -> Lines:
    """Return a line for each of the first tools, and a line with the number of other tools.

    Args:
        offers: the tools of one frame.
        depth: the depth of the lines.
    """
    lines = Lines()
    for tool in offers.tools[:_MOST_TOOLS]:
        lines.add(depth, "tool", _line(tool), 0, 1)
    others = len(offers.tools) - len(lines) + offers.more
    if others > 0:
        lines.add(depth, "tool", f"({others} more tools of this page)", 0, 1)
    return lines


def traits(tool: PageTool) -> list[str]:
    """Return the traits of a tool that a model must know before it runs the tool."""
    words = ["read-only"] if tool.read_only else []
    words += ["consequential"] if tool.consequential else []
    if tool.is_form:
        words.append("submits a form" if tool.submits else "fills in a form")
    return words


def _line(tool: PageTool) -> str:
    name = shortened(quoted(tool.name), _NAME)
    about = shortened(quoted(" ".join(tool.description.split())), _DESCRIPTION)
    return " ".join([f"tool {name} {parameters(tool)} {about}", *traits(tool)])
