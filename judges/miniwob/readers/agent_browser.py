"""The snapshot of agent-browser: ``- button "Buy" [disabled, ref=e1]: text``."""

from __future__ import annotations

import json
import re

from judges.miniwob.nodes import Node

__all__ = ["read"]

_LINE = re.compile(
    r"""^(?P<indent>\ *)-\ (?P<role>[\w-]+)(?:\ (?P<name>"(?:\\.|[^"\\])*"))?
    (?P<rest>(?:\ (?:\[[^\]]*\]|\w+))*)(?::(?:\ (?P<text>.*))?)?$""",
    re.X | re.M,
)
_ROLES = {"StaticText": "text", "image": "img", "Canvas": "canvas", "ListMarker": "text"}
_FIELDS = frozenset(("textbox", "searchbox", "spinbutton", "combobox", "slider", "Date"))


def read(text: str) -> list[Node]:
    nodes: list[Node] = []
    for line in _LINE.finditer(text):
        if line["role"] == "LineBreak":
            continue
        states = {}
        for bracket in re.findall(r"\[([^\]]*)\]", line["rest"]):
            for state in bracket.split(", "):
                key, _, value = state.partition("=")
                states[key] = value or "true"
        ref = states.pop("ref", "")
        said = line["text"] or ""
        role = _ROLES.get(line["role"], line["role"])
        is_field = role in _FIELDS
        nodes.append(
            Node(
                role, json.loads(line["name"]) if line["name"] else "", ref,
                "" if is_field else said, said if is_field else "", states,
                len(line["indent"]) // 2, len(nodes),
            )
        )  # fmt: skip
    return nodes
