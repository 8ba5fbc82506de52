"""Shapes: our tools and answers as MCP has them."""

from __future__ import annotations

import base64

import mcp_types as types

from tabwarden.actions import Answer, Tool

__all__ = ["as_result", "as_tool"]


def as_tool(tool: Tool) -> types.Tool:
    """A tool as it is listed."""
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive and not tool.read_only,
            idempotent_hint=tool.idempotent or tool.read_only,
            open_world_hint=tool.open_world,
        ),
    )


def as_result(answer: Answer) -> types.CallToolResult:
    """An answer: words for the model, the picture if there is one, and the same as data."""
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
        content=content, structured_content=answer.data, is_error=answer.is_error
    )
