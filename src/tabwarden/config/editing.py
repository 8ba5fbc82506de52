"""Set or remove one key in YAML text. Everything else stays unchanged, including comments.

The parser reports the value's position, and we replace the text at that position. Then we parse the
result and compare it with the intended values. Unsupported YAML syntax therefore causes an error
instead of a damaged file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwarden.config.document import parse_document, parse_yaml
from tabwarden.errors import InvalidArgument

if TYPE_CHECKING:
    from ruamel.yaml.nodes import MappingNode, Node

    _Pair = tuple[Node, Node]

_INDENT = "  "
_BARE = re.compile(r"[A-Za-z0-9_/~.+][\w/~.+:@ -]*")


def text_with(text: str, keys: Sequence[str], value: Any, path: Path) -> str:
    """Return ``text`` with the value at ``keys`` set.

    Args:
        text: a YAML mapping, or "".
        keys: the path to the value; missing parts are created.
        value: a value that JSON can represent.
        path: the file that contains ``text``, for errors.

    Raises:
        InvalidArgument: ``text`` is not a YAML mapping, or can't be edited safely.
    """
    wanted = parse_document(text, path).values
    _put(wanted, keys, value)
    return _verified(_Text(text).with_value(keys, value), wanted, path)


def text_without(text: str, keys: Sequence[str], path: Path) -> str:
    """Return ``text`` without the value at ``keys``. Also remove mappings that become empty, except
    sections.

    Raises:
        InvalidArgument: see ``text_with``.
        KeyError: the text does not contain the keys.
    """
    wanted = parse_document(text, path).values
    while len(keys) > 1:
        parent = _at(wanted, keys[:-1])
        del parent[keys[-1]]
        if parent or len(keys) == len(("section", "key")):
            break
        keys = keys[:-1]
    else:
        del wanted[keys[0]]
    return _verified(_Text(text).without(keys), wanted, path)


def _verified(text: str, wanted: Mapping[str, Any], path: Path) -> str:
    try:
        same = parse_document(text, path).values == wanted
    except InvalidArgument:
        same = False
    if not same:
        raise InvalidArgument(
            f"Tabwarden can't safely edit {path}, because it uses unsupported YAML syntax.",
            "Edit the file in a text editor.",
            field="config",
        )
    return text


class _Text:
    """YAML text with the positions of its nodes."""

    def __init__(self, text: str) -> None:
        from ruamel.yaml import YAML

        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._root: Node | None = YAML(typ="safe", pure=True).compose(text)

    def with_value(self, keys: Sequence[str], value: Any) -> str:
        pair: _Pair | None = None
        node, depth = self._root, 0
        while depth < len(keys) and (key_pair := _pair(node, keys[depth])) is not None:
            pair, node, depth = key_pair, key_pair[1], depth + 1
        missing = keys[depth:]
        if not missing and pair is not None:
            return self._replaced(pair, value)
        if pair is None and (self._root is None or _is_empty(self._root)):
            return self._inserted(len(self._text), "", missing, value)
        if pair is not None and _is_empty(pair[1]):
            indent = " " * pair[0].start_mark.column + _INDENT
            return self._inserted(self._line_end(self._after_colon(pair)), indent, missing, value)
        mapping = _mapping(node)
        if mapping is None:
            # We expected a mapping, but found a scalar. Return the text unchanged; ``_verified``
            # rejects it.
            return self._text
        if mapping.flow_style:
            return self._in_braces(mapping, missing, value)
        end = self._line_end(self._end(mapping.value[-1]))
        return self._inserted(end, " " * mapping.value[0][0].start_mark.column, missing, value)

    def without(self, keys: Sequence[str]) -> str:
        node: Node | None = self._root
        for key in keys[:-1]:
            key_pair = _pair(node, key)
            node = key_pair[1] if key_pair is not None else None
        mapping = _mapping(node)
        assert mapping is not None  # the caller has already found these keys in the parsed text
        pairs: list[_Pair] = mapping.value
        place = next(i for i, pair in enumerate(pairs) if pair[0].value == keys[-1])
        begin, end = pairs[place][0].start_mark.index, self._end(pairs[place])
        if not mapping.flow_style:
            begin = self._text.rfind("\n", 0, begin) + 1
            end = min(self._line_end(end) + len(self._newline), len(self._text))
        elif place + 1 < len(pairs):
            end = pairs[place + 1][0].start_mark.index
        elif place:
            begin = self._end(pairs[place - 1])
        return self._text[:begin] + self._text[end:]

    def _replaced(self, pair: _Pair, value: Any) -> str:
        begin, end = pair[1].start_mark.index, self._end(pair)
        if _is_empty(pair[1]) or _is_block(pair[1]):
            begin = self._after_colon(pair)
        gap = " " if self._text[begin - 1 : begin] == ":" else ""
        return f"{self._text[:begin]}{gap}{flow(value)}{self._text[end:]}"

    def _in_braces(self, mapping: MappingNode, keys: Sequence[str], value: Any) -> str:
        for key in reversed(keys[1:]):
            value = {key: value}
        entry = f"{_name(keys[0])}: {flow(value)}"
        if mapping.value:
            place, entry = self._end(mapping.value[-1]), f", {entry}"
        else:
            place = mapping.start_mark.index + len("{")
        return f"{self._text[:place]}{entry}{self._text[place:]}"

    def _inserted(self, place: int, indent: str, keys: Sequence[str], value: Any) -> str:
        """Insert new lines after the line that ends at ``place``."""
        lines = [f"{indent}{_INDENT * depth}{_name(key)}:" for depth, key in enumerate(keys)]
        lines[-1] += f" {flow(value)}"
        new_lines = self._newline.join(lines)
        before, after = self._text[:place], self._text[place:]
        if before and not before.endswith("\n"):
            before += self._newline
        if not after.startswith(("\n", "\r\n")):
            after = self._newline + after
        return before + new_lines + after

    def _end(self, pair: _Pair) -> int:
        """Return the position where a value ends, before the trailing whitespace that the parser
        includes.
        """
        value = pair[1]
        if _is_empty(value):
            return self._after_colon(pair)
        if _is_block(value):
            last = value.value[-1]
            return self._end(last if _mapping(value) is not None else (last, last))
        return len(self._text[: value.end_mark.index].rstrip())

    def _after_colon(self, pair: _Pair) -> int:
        return self._text.index(":", pair[0].end_mark.index) + 1

    def _line_end(self, place: int) -> int:
        line_end = self._text.find("\n", place)
        if line_end < 0:
            return len(self._text)
        return line_end - (self._newline == "\r\n")


def _pair(node: Node | None, key: str) -> _Pair | None:
    mapping = _mapping(node)
    pairs = mapping.value if mapping is not None else ()
    return next((pair for pair in pairs if pair[0].value == key), None)


def _mapping(node: Node | None) -> MappingNode | None:
    from ruamel.yaml.nodes import MappingNode

    return node if isinstance(node, MappingNode) else None


def _is_empty(node: Node) -> bool:
    """Whether the value is empty. For an empty value, the parser may report a later position."""
    return bool(node.value == "" and node.start_mark.index == node.end_mark.index)


def _is_block(node: Node) -> bool:
    """Whether a mapping or list is written with indentation."""
    from ruamel.yaml.nodes import CollectionNode

    return isinstance(node, CollectionNode) and bool(node.value and not node.flow_style)


def flow(value: Any) -> str:
    """Format a value on one line, like JSON but without quotes around plain words."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_name(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _name(value) if isinstance(value, str) else json.dumps(value)


def _name(text: str) -> str:
    bare = _BARE.fullmatch(text) and ": " not in text and text[-1] not in " :"
    return text if bare and parse_yaml(text) == text else _quoted(text)


def _quoted(text: str) -> str:
    """Quote ``text`` as JSON does, and also escape the characters that YAML doesn't allow."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(one if one.isprintable() else f"\\U{ord(one):08x}" for one in quoted)


def _put(values: dict[str, Any], keys: Sequence[str], value: Any) -> None:
    first, *rest = keys
    if not rest:
        values[first] = value
        return
    held = values.get(first)
    values[first] = dict(held) if isinstance(held, Mapping) else {}
    _put(values[first], rest, value)


def _at(values: Any, keys: Sequence[str]) -> dict[str, Any]:
    for key in keys:
        if not isinstance(values, dict):
            raise KeyError(key)
        values = values[key]
    if not isinstance(values, dict):
        raise KeyError(keys[-1])
    return values
