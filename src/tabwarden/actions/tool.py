"""A tool as a model sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

Schema = dict[str, Any]


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a model sees it. For fields that are also in ``Action``, see there."""

    name: str
    description: str
    input: Callable[[], Schema]
    """Returns the JSON Schema of the arguments. A server that only needs names makes no schemas."""
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True
    pictures: bool = False
    """Whether a response may contain an image. Over MCP, such a response has no structured content,
    so the tool can't declare its schema."""
    output: Callable[[], Schema] | None = None
    """Returns the JSON Schema of ``data`` in the tool's responses, including errors; None if the
    tool declares no schema."""

    @property
    def input_schema(self) -> Schema:
        """The JSON Schema of the arguments."""
        return self.input()

    @property
    def output_schema(self) -> Schema | None:
        """The JSON Schema of ``data`` in the responses; None if the tool declares none."""
        return None if self.output is None else self.output()
