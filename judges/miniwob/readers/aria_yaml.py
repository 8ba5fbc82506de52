"""The snapshot of Playwright MCP: YAML, such as ``- button "Buy" [disabled] [ref=e1]: text``."""

from __future__ import annotations

import json
import re

from judges.miniwob.nodes import Node

__all__ = ["read"]

_BLOCK = re.compile(r"```yaml\n(.*?)```", re.S)
_LINE = re.compile(r"^( *)- (.*)$")
_ELEMENT = re.compile(
    r"""(?P<role>[\w-]+)(?:\ (?P<name>"(?:\\.|[^"\\])*"))?(?P<states>(?:\ \[[^\]]*\])*)
    (?:(?P<colon>:)(?:\ (?P<text>.*))?)?$""",
    re.X,
)
_STATE = re.compile(r"\[([\w-]+)(?:=([^\]]*))?\]")
_FIELDS = frozenset(("textbox", "searchbox", "spinbutton", "combobox", "slider"))


def read(text: str) -> list[Node]:
    nodes: list[Node] = []
    for block in _BLOCK.findall(text):
        for line in block.splitlines():
            if (found := _LINE.match(line)) is not None:
                _add(nodes, _plain(found[2]), len(found[1]) // 2)
    return nodes


def _add(nodes: list[Node], said: str, depth: int) -> None:
    if said.startswith("/"):  # "/url: ..." belongs to the element before
        key, _, value = said[1:].partition(": ")
        nodes[-1].states[key] = _plain(value)
        return
    found = _ELEMENT.match(said)
    if found is None:
        return
    states = {key: value or "true" for key, value in _STATE.findall(found["states"])}
    ref = states.pop("ref", "")
    box = tuple(float(one) for one in states.pop("box", "").split(",") if one)
    role = found["role"]
    name = json.loads(found["name"]) if found["name"] else ""
    text = _plain(found["text"] or "")
    if role == "text":
        name, text = text, ""
    is_field = role in _FIELDS
    nodes.append(
        Node(
            role, name, ref, "" if is_field else text, text if is_field else "", states, depth,
            len(nodes), box if len(box) == 4 else None,
        )
    )  # fmt: skip


def _plain(text: str) -> str:
    """Without YAML's quotes."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if text.startswith("'") and (end := text.find("': ")) > 0:
        return text[1:end].replace("''", "'") + text[end + 1 :]
    if text.startswith("'") and text.endswith("':"):
        return text[1:-2].replace("''", "'") + ":"
    return text
