"""The outline of Tabwarden: ``- button "Buy" [ref=e1] disabled``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from judges.miniwob.nodes import Node

__all__ = ["read"]

_PAGE = re.compile(r"^<page (\w+)>\n(.*?)^</page \1>", re.S | re.M)
_LINE = re.compile(r"^( *)- (.*)$", re.M)
_STRING = r'"(?:\\.|[^"\\])*"'
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})"
    r"|\[ref=(?P<ref>\w+)\]"
    rf"|(?P<key>[\w-]+)=(?P<set>{_STRING}|\[(?:{_STRING}|[^\]\"])*\]|[^\s|]+)"
    r"|(?P<word>[\w-]+)|(?P<colon>:)|(?P<bar>\|)"
)
_FLAGS = frozenset(
    (
        "checked", "disabled", "expanded", "selected", "pressed", "invalid", "required",
        "readonly", "busy", "active", "clickable", "modal", "editable", "draggable",
        "multiselectable", "offscreen", "obscured", "multiline",
    )
)  # fmt: skip


@dataclass
class _Open:
    """A node while its line is read."""

    role: str
    depth: int
    name: str = ""
    ref: str = ""
    text: str = ""
    value: str = ""
    states: dict[str, str] = field(default_factory=dict)


def read(text: str) -> list[Node]:
    found = _PAGE.search(text)
    opened: list[_Open] = []
    for line in _LINE.finditer(found[2] if found else ""):
        opened += _nodes(line[2], len(line[1]) // 2)
    return [
        Node(one.role, one.name, one.ref, one.text, one.value, one.states, one.depth, order)
        for order, one in enumerate(opened)
    ]


def _nodes(line: str, depth: int) -> list[_Open]:
    """Return all nodes of a line. A heading, a list item or a row shares it with its content."""
    found: list[_Open] = []
    last: _Open | None = None
    in_row, bar = False, False
    for token in _TOKEN.finditer(line):
        if token["bar"]:
            bar, last = True, None if in_row else last
        elif token["colon"]:
            if last is not None:
                in_row = in_row or last.role == "row"
                depth = last.depth + 1
            last, bar = None, False
        elif token["word"] and token["word"] == "headers" and in_row and last is None:
            continue
        elif token["word"] and not (last is not None and token["word"] in _FLAGS):
            last = _Open(token["word"], depth)
            found.append(last)
        elif token["string"]:
            said = json.loads(token["string"])
            if last is None or (bar and not in_row) or last.name or last.ref:
                role = found[-1].role if bar and not in_row and found else "cell"
                last = _Open(role, depth)
                found.append(last)
            last.name, bar = said, False
        elif last is not None:
            _add(last, token)
    return found


def _add(node: _Open, token: re.Match[str]) -> None:
    if token["ref"]:
        node.ref = token["ref"]
    elif token["word"]:
        node.states[token["word"]] = "true"
    elif token["key"]:
        value = token["set"]
        said = json.loads(value) if value.startswith('"') else value
        if token["key"] in {"value", "text"}:
            setattr(node, token["key"], said)
        else:
            node.states[token["key"]] = said
