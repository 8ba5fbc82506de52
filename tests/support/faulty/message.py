"""A CDP message in transit, as the relay sees it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Kind", "Message", "read"]

Kind = Literal["command", "reply", "event"]


@dataclass(frozen=True)
class Message:
    """One frame; a reply's ``method`` is its command's method."""

    kind: Kind
    method: str
    session_id: str | None
    id: int | None
    text: bytes


def read(frame: str | bytes, asked: dict[int, str], *, is_command: bool) -> Message:
    """Read a frame.

    Args:
        frame: as it came.
        asked: the methods of the commands under way by their ids; kept up here.
        is_command: it comes from the client.
    """
    text = frame.encode() if isinstance(frame, str) else frame
    told: dict[str, Any] = json.loads(text)
    number, session_id = told.get("id"), told.get("sessionId")
    if is_command:
        asked[told["id"]] = told["method"]
        return Message("command", told["method"], session_id, number, text)
    if number is not None:
        return Message("reply", asked.pop(number, ""), session_id, number, text)
    return Message("event", told["method"], session_id, None, text)
