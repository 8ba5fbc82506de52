"""The lines of an outline that name the tools of a frame's document."""

from __future__ import annotations

from tabwarden.page.text import Lines, quoted, shortened
from tabwarden.page.webmcp.schema import parameters
from tabwarden.supervisor.core.state.tabs import FrameTools, PageTool

_MOST_TOOLS = 10
_DESCRIPTION = 160
_NAME = 140
"""Chromium's own limit is 128."""


def tool_lines(offers: FrameTools, depth: int) -> Lines:
    """Return one line for each of the first tools, and one that counts the others.

    Args:
        offers: the tools of one frame.
        depth: the depth of the lines.
    """
    lines = Lines()
    for tool in offers.tools[:_MOST_TOOLS]:
        lines.add(depth, "tool", _line(tool), 0, 1)
    left = len(offers.tools) - len(lines) + offers.more
    if left > 0:
        lines.add(depth, "tool", f"({left} more tools of this page)", 0, 1)
    return lines


def traits(tool: PageTool) -> list[str]:
    """Return what a model must know before it runs a tool, in a few words each."""
    found = ["read-only"] if tool.read_only else []
    found += ["consequential"] if tool.consequential else []
    if tool.is_form:
        found.append("submits a form" if tool.submits else "fills in a form")
    return found


def _line(tool: PageTool) -> str:
    name = shortened(quoted(tool.name), _NAME)
    about = shortened(quoted(" ".join(tool.description.split())), _DESCRIPTION)
    return " ".join([f"tool {name} {parameters(tool)} {about}", *traits(tool)])
