r"""The DOM text of browser-use: ``*[33]<button type=submit />`` and texts in lines of their own."""

from __future__ import annotations

import re
from dataclasses import replace

from judges.miniwob.nodes import Node

__all__ = ["read"]

_ELEMENT = re.compile(r"^(\t*)(?:\|[^|]*\|)?\*?\[?(\d+)?\]?<(\w[\w-]*)((?:\s[^>]*?)?)\s*/?>(.*)$")
_ATTRIBUTE = re.compile(r"([\w-]+)=(\"[^\"]*\"|'[^']*'|.*?)(?=\s+[\w-]+=|$)")
_ROLES = {
    "a": "link", "textarea": "textbox", "select": "combobox", "svg": "img", "h1": "heading",
    "h2": "heading", "h3": "heading", "li": "listitem", "td": "cell", "th": "columnheader",
    "tr": "row", "button": "button", "img": "img", "canvas": "canvas", "option": "option",
}  # fmt: skip
_INPUTS = {
    "checkbox": "checkbox", "radio": "radio", "number": "spinbutton", "range": "slider",
    "submit": "button", "button": "button",
}  # fmt: skip


def read(text: str) -> list[Node]:
    nodes: list[Node] = []
    for line in text.splitlines():
        found = _ELEMENT.match(line)
        if found is None:
            said = line.strip()
            if said:
                depth = len(line) - len(line.lstrip("\t"))
                nodes.append(Node("text", said, depth=depth, order=len(nodes)))
            continue
        tabs, index, tag, attributes, after = found.groups()
        states = {key: value.strip("\"'").strip() for key, value in _ATTRIBUTE.findall(attributes)}
        said = states.get("role", "presentation")
        role = _ROLES.get(tag, "generic") if said in {"presentation", "none"} else said
        if tag == "input":
            role = _INPUTS.get(states.get("type", "text"), "textbox")
        names = ("aria-label", "placeholder", "alt", "title")
        name = next((states[key] for key in names if states.get(key)), "")
        if tag == "textarea":
            states["multiline"] = "true"
        nodes.append(
            Node(
                role, name, index or "", after.strip(), states.get("value", ""), states,
                len(tabs), len(nodes),
            )
        )  # fmt: skip
    return _with_texts(nodes)


def _with_texts(nodes: list[Node]) -> list[Node]:
    """Name elements without a name by their texts, if they contain nothing else."""
    taken: set[int] = set()
    for at, node in enumerate(nodes):
        if node.role in {"checkbox", "radio"} and not node.name and at + 1 < len(nodes):
            beside = nodes[at + 1]  # the label's text comes after its box
            if beside.role == "text" and beside.depth == node.depth:
                nodes[at] = replace(node, name=beside.name)
            continue
        if node.name or not node.ref or node.role in {"textbox", "combobox", "img"}:
            continue
        inside: list[Node] = []
        for one in nodes[at + 1 :]:
            if one.depth <= node.depth or one.ref:
                break
            inside.append(one)
        holds_more = at + 1 + len(inside) < len(nodes) and (
            nodes[at + 1 + len(inside)].depth > node.depth
        )
        if inside and not holds_more:
            nodes[at] = replace(node, name=" ".join(one.name for one in inside))
            taken |= {one.order for one in inside}
    left = [one for one in nodes if one.order not in taken]
    return [replace(one, order=at) for at, one in enumerate(left)]
