"""Calls: the arguments and the results of tool calls, without the SDK."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from tabwarden.actions import Answer
from tabwarden.surfaces.progress import CallProgress

Structured: TypeAlias = Literal["none", "slim", "full"]
"""How much structured content answers have in addition to their text.

If an answer has structured content, some hosts show the model only that, and other hosts show only
the text. So structured content has all the information in the text, or is omitted. ``none``: never.
``slim``: the few facts of a short answer, but nothing for answers with page text, values or images.
``full``: all data, except for answers with an image. The tools declare its schema.
"""

HANDOFF = "browser_handoff"

_NAMES_FILES = {"files", "filenames", "path", "paths"}
"""The arguments of tools that contain paths of files for a page."""
_DEPTH = 5
"""How deeply such an argument may be nested: a step's argument in a batch."""


def progress_text(now: CallProgress) -> str:
    """Return a call's progress as text for people."""
    return f"{now.elapsed_ms:.0f} ms of {now.budget_ms:g} ms: {now.doing}"


def result_json(answer: Answer, structured: Structured) -> dict[str, Any]:
    """Return an answer as the ``result`` of ``tools/call``: its text for the model, its image, and
    perhaps its data.
    """
    content = [{"type": "text", "text": answer.text}]
    if answer.picture is not None:
        data = base64.b64encode(answer.picture.data).decode("ascii")
        content.append({"type": "image", "data": data, "mimeType": answer.picture.media_type})
    result: dict[str, Any] = {"content": content, "isError": answer.is_error}
    if (facts := _data(answer, structured)) is not None:
        result["structuredContent"] = facts
    return result


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
    """Return whether a field is empty, or contains only empty fields."""
    if isinstance(fact, dict):
        return all(map(_is_empty, fact.values()))
    return fact is None or fact in ("", [])


def names_files(argument: object, depth: int = _DEPTH) -> bool:
    """Return whether a call's arguments name files for a page."""
    if isinstance(argument, Mapping):
        return any(
            (name in _NAMES_FILES and bool(value)) or (depth and names_files(value, depth - 1))
            for name, value in argument.items()
        )
    if isinstance(argument, list):
        return bool(depth) and any(names_files(one, depth - 1) for one in argument)
    return False
