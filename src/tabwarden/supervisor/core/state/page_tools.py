"""Page tools: the tools that a document offers to agents (WebMCP)."""

from __future__ import annotations

import msgspec


class PageTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a document. All of its texts are the page's, and may be lies."""

    name: str
    description: str = ""
    schema: bytes = b""
    """The JSON Schema of the arguments, as JSON; empty if the page gave none."""
    schema_dropped: bool = False
    """Whether the schema is too long to keep."""
    read_only: bool = False
    """The page says that the tool changes nothing."""
    consequential: bool = False
    """The page says that the tool does something that can't be undone, such as a payment."""
    is_form: bool = False
    """Whether the tool is a form of the page: it fills in the form."""
    submits: bool = False
    """Whether the form submits itself once the tool has filled it in."""


class FrameTools(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of one frame's document."""

    tools: tuple[PageTool, ...] = ()
    """The first ones, oldest first."""
    more: int = 0
    """How many others the document offers."""
