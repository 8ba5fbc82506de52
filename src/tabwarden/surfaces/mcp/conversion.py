"""Convert our tools and answers to MCP's types."""

from __future__ import annotations

import base64
from typing import Any, Literal, TypeAlias

import mcp_types as types

from tabwarden.actions import Answer, Tool

Structured: TypeAlias = Literal["none", "slim", "full"]
"""How much structured content answers have beside their text.

Some hosts show a model only the structured content of an answer that has any, and other hosts show
only the text. So structured content says all that the text says, or is left out.

``none``: none. ``slim``: the few facts of a short answer; none beside page text, values and
pictures. ``full``: all data, except beside a picture; tools declare its schema.
"""


def as_tool(tool: Tool, structured: Structured, meta: dict[str, Any] | None = None) -> types.Tool:
    """Convert a tool. ``meta`` is for the host, not for the model."""
    pictured = tool.name == "browser_screenshot"
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema if structured == "full" and not pictured else None,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive and not tool.read_only,
            idempotent_hint=tool.idempotent or tool.read_only,
            open_world_hint=tool.open_world,
        ),
        _meta=meta,
    )


def as_result(answer: Answer, structured: Structured) -> types.CallToolResult:
    """Convert an answer: its text for the model, its picture, and perhaps its data."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=answer.text)]
    if answer.picture is not None:
        content.append(
            types.ImageContent(
                type="image",
                data=base64.b64encode(answer.picture.data).decode("ascii"),
                mime_type=answer.picture.media_type,
            )
        )
    return types.CallToolResult(
        content=content, structured_content=_data(answer, structured), is_error=answer.is_error
    )


def _data(answer: Answer, structured: Structured) -> dict[str, Any] | None:
    if structured == "none" or answer.picture is not None:
        return None
    if structured == "full":
        return {"text": answer.text, **answer.data, "state": answer.state}
    if "text" in answer.data or answer.data.get("snapshot") is not None:
        return None
    if isinstance(answer.data.get("value"), str | list | dict):
        return None
    facts = {key: fact for key, fact in answer.data.items() if not _is_empty(fact)}
    return {**facts, "state": answer.state}


def _is_empty(fact: Any) -> bool:
    """Whether a field says nothing: it is empty, or all its fields are."""
    if isinstance(fact, dict):
        return all(map(_is_empty, fact.values()))
    return fact is None or fact in ("", [])
