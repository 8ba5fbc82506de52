"""A tool as a model sees it."""

from __future__ import annotations

from typing import Any

import msgspec


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a model sees it. For fields that are also in ``Action``, see there."""

    name: str
    description: str
    input_schema: dict[str, Any]
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True
    output_schema: dict[str, Any] | None = None
    """JSON Schema of ``data`` in the tool's responses, including errors; None if the tool declares
    no schema."""
