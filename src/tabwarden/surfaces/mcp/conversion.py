"""Convert our tools and answers to MCP's types."""

from __future__ import annotations

import base64

import mcp_types as types

from tabwarden.actions import Answer, Tool


def as_tool(tool: Tool) -> types.Tool:
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
    """Convert an answer: its text for the model, its picture, if any, and its data."""
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
