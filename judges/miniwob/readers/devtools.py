"""The snapshot of chrome-devtools-mcp: ``uid=1_2 button "Buy" disabled value="x"``."""

from __future__ import annotations

import re

from judges.miniwob.nodes import Node

__all__ = ["read"]

_START = re.compile(r"^( *)uid=(\w+)(?: (.*))?$", re.S)
_ROLE = re.compile(r"^([A-Za-z][\w-]*)(?= |$)")
_STATE = re.compile(r'([\w-]+)="((?:\\.|[^"\\])*)"|([\w-]+)')
_ROLES = {"StaticText": "text", "image": "img", "Canvas": "canvas", "ListBox": "listbox"}


def read(text: str) -> list[Node]:
    nodes: list[Node] = []
    for line in _lines(text):
        found = _START.match(line)
        if found is None:
            continue
        said = found[3] or ""
        role = "text"  # a text is written without its role
        if (named := _ROLE.match(said)) is not None:
            role, said = _ROLES.get(named[1], named[1]), said[named.end() :].lstrip()
        if role in {"LineBreak", "RootWebArea", "ignored"}:
            continue
        name, said = _name(said)
        states, value = {}, ""
        for key, content, flag in _STATE.findall(said):
            if key == "value":
                value = content
            elif key:
                states[key] = content
            else:
                states[flag] = "true"
        if role in {"checkbox", "radio"}:
            states.setdefault("checked", "false")
        nodes.append(Node(role, name, found[2], "", value, states, len(found[1]) // 2, len(nodes)))
    return nodes


def _lines(text: str) -> list[str]:
    """Return a line for each node, because names may contain line breaks."""
    return re.split(r"\n(?= *uid=)", text)


def _name(said: str) -> tuple[str, str]:
    """The quoted name, in which quotes are not escaped, and the rest."""
    if not said.startswith('"'):
        return "", said
    ends = re.search(r'"(?=\s*$)|"(?=(?: [\w-]+="[^"]*"| [\w-]+)+\s*$)', said[1:])
    if ends is None:
        return said.strip('"'), ""
    return said[1 : 1 + ends.start()], said[2 + ends.start() :].strip()
