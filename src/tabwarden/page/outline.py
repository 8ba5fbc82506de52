"""The outline: the walker's nodes as text that a model reads, fenced and escaped.

Whatever comes from the page stands in JSON-quoted strings: no name can close its quotes, begin a
line, or pose as ``[ref=e1]``. The whole stands between two marks that the page can't guess.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["DEFAULT_MAX_CHARS", "fence", "fenced", "quoted", "render"]

DEFAULT_MAX_CHARS = 40_000
_STATES = ("checked", "disabled", "expanded", "selected", "pressed", "level", "invalid")
_FLAGS = ("required", "readonly", "active", "clickable", "modal")
_WORDS = ("value", "placeholder", "description", "url", "type", "haspopup", "current")
# Characters that could reorder or hide text on its way to the reader (Unicode bidi, zero width).
_TRICKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c\x7f-\x9f]")

Line = tuple[str, str | None]
"""The text of one line, and the ref that it names."""


def quoted(text: str) -> str:
    """Page text as a string that can't end early, break the line or reorder what follows."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'  # most text is plain, and a snapshot quotes thousands
    safe = json.dumps(text, ensure_ascii=False)
    return _TRICKS.sub(lambda found: f"\\u{ord(found[0]):04x}", safe)


def render(
    nodes: list[Any],
    depth: int,
    ref_of: Callable[[int, str, str], str],
    below: Callable[[int, int], list[Line]],
) -> list[Line]:
    """One frame's nodes as lines.

    Args:
        nodes: ``[depth, role, name, local_id, props]`` each, as the walker gives them.
        depth: how deep the frame itself stands.
        ref_of: ``(local_id, role, name)`` to the ref.
        below: ``(local_id, depth)`` of an iframe to the lines of the document in it.
    """
    lines: list[Line] = []
    for level, role, name, local_id, props in nodes:
        indent = "  " * (depth + level)
        if role == "text":
            lines.append((f"{indent}- text {quoted(name)}", None))
            continue
        ref = ref_of(local_id, role, name) if local_id else None
        lines.append((indent + _line(role, name, ref, props or {}), ref))
        if role == "iframe":
            lines.extend(below(local_id, depth + level + 1))
    return lines


def fence(lines: list[Line], max_chars: int | None) -> tuple[str, bool]:
    """The lines between marks that no page can know, within ``max_chars`` (None: all); and
    whether cut.

    What is left out is named: how many lines, and which refs.
    """
    mark = secrets.token_hex(4)
    kept, size = 0, 0
    for text, _ in lines:
        size += len(text) + 1
        if max_chars is not None and size > max_chars:
            break
        kept += 1
    shown = [text for text, _ in lines[:kept]]
    body = "\n".join([f"<page {mark}>", *shown, f"</page {mark}>"])
    if kept == len(lines):
        return body, False
    return f"{body}\n{_left_out(lines[kept:])}", True


def fenced(text: str) -> str:
    """Page text as it is, between such marks."""
    mark = secrets.token_hex(4)
    return f"<page {mark}>\n{text}\n</page {mark}>"


def _left_out(lines: list[Line]) -> str:
    refs = [ref for _, ref in lines if ref]
    named = f", among them the elements {refs[0]} to {refs[-1]}" if refs else ""
    return (
        f"[{len(lines)} more lines left out{named}: ask for them with full=true or max_chars, "
        f"or for one frame with frame_id]"
    )


def _line(role: str, name: str, ref: str | None, props: Mapping[str, Any]) -> str:
    words = [f"- {role}"]
    if name:
        words.append(quoted(name))
    if ref:
        words.append(f"[ref={ref}]")
    words.extend(_states(props))
    return " ".join(words)


def _states(props: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for key in _STATES:
        if key in props:
            value = props[key]
            words.append(key if value is True else f"{key}={json.dumps(value)}")
    words += [key for key in _FLAGS if props.get(key)]
    words += [f"{key}={quoted(str(props[key]))}" for key in _WORDS if props.get(key)]
    if options := props.get("options"):
        shown = ", ".join(quoted(str(option)) for option in options)
        more = f", {props['options_more']} more" if props.get("options_more") else ""
        words.append(f"options=[{shown}{more}]")
    return words
