"""Node: one element or text of a document, as the walker tells it."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Node"]


class Node(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """``[depth, role, name, id, states]`` (``js/outline.js``)."""

    depth: int
    role: str
    name: str = ""
    local_id: int = 0
    """The walker's number of the element; 0 when it is given none."""
    props: dict[str, Any] | int = 0
    """Its states; 0 when there are none."""
