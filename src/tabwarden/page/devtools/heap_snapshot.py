"""Summarize a heap snapshot's memory use by class, and write its file without secrets.

A snapshot may be a hundred megabytes in size. It is read and written in pieces, so that other
threads keep running.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

_PIECE = 500_000
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)')
_NODES, _EDGES, _STRINGS = '"nodes":[', '"edges":[', '"strings":['
_MOST = 15
_BY_NAME = ("object", "native")
"""The node types whose nodes have a class name as their name."""
_DETACHED = 2
_numbers = msgspec.json.Decoder(list[int]).decode


class UnknownFormat(ValueError):
    """The browser's snapshot has an unknown format."""


def summarize(text: str) -> dict[str, Any]:
    """Return ``{"bytes", "objects", "classes": [{"name", "count", "bytes"}], "detached"}``.

    Sizes count only the objects themselves, not the objects that they keep alive. ``detached``
    counts the DOM nodes outside any document, keyed by name.

    Raises:
        UnknownFormat: the snapshot has an unknown format.
    """
    try:
        head, rest = text.index(_NODES), text.index(_EDGES)
        meta = json.loads(text[: text.rindex("}", 0, head) + 1] + "}")["snapshot"]["meta"]
        fields: list[str] = meta["node_fields"]
        types: list[str] = meta["node_types"][0]
        kind, name, size = (fields.index(one) for one in ("type", "name", "self_size"))
        detached = fields.index("detachedness") if "detachedness" in fields else None
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise UnknownFormat(str(error)) from None
    counts: defaultdict[tuple[str, int], int] = defaultdict(int)
    sizes: defaultdict[tuple[str, int], int] = defaultdict(int)
    loose: defaultdict[int, int] = defaultdict(int)
    for row in _rows(text, head + len(_NODES), text.rindex("]", head, rest), len(fields)):
        of = types[row[kind]]
        key = (of, row[name] if of in _BY_NAME else -1)
        counts[key] += 1
        sizes[key] += row[size]
        if detached is not None and row[detached] == _DETACHED:
            loose[row[name]] += 1
    largest = sorted(sizes, key=lambda one: -sizes[one])[:_MOST]
    most_detached = sorted(loose, key=lambda one: -loose[one])[:_MOST]
    names = _strings(text, {index for _, index in largest if index >= 0} | set(most_detached))
    return {
        "bytes": sum(sizes.values()),
        "objects": sum(counts.values()),
        "classes": [
            {
                "name": names.get(index, f"({of})")[:100] if index >= 0 else f"({of})",
                "count": counts[of, index],
                "bytes": sizes[of, index],
            }
            for of, index in largest
        ],
        "detached": [
            {"name": names.get(one, "")[:100], "count": loose[one]} for one in most_detached
        ],
    }


def without_secrets(text: str, hide: Callable[[str], str]) -> Iterator[bytes]:
    """Yield the file's contents, with the secrets in its strings replaced."""
    strings = max(text.find(_STRINGS), 0)
    for at in range(0, strings, _PIECE):
        yield text[at : min(at + _PIECE, strings)].encode("utf-8", "replace")
    while strings < len(text):
        end = text.find('","', strings + _PIECE)  # a piece never ends inside a string
        end = len(text) if end < 0 else end + 2
        yield hide(text[strings:end]).encode("utf-8", "replace")
        strings = end


def _rows(text: str, start: int, end: int, width: int) -> Iterator[list[int]]:
    rest: list[int] = []
    while start < end:
        stop = text.find(",", min(start + _PIECE, end), end)
        stop = end if stop < 0 else stop
        try:
            numbers = rest + _numbers(f"[{text[start:stop].strip().strip(',')}]")
        except msgspec.DecodeError as error:
            raise UnknownFormat(str(error)) from None
        whole = len(numbers) - len(numbers) % width
        for at in range(0, whole, width):
            yield numbers[at : at + width]
        rest, start = numbers[whole:], stop + 1


def _strings(text: str, numbers: set[int]) -> dict[int, str]:
    """Return the strings at these indexes of the string table."""
    strings: dict[int, str] = {}
    start = text.find(_STRINGS) + len(_STRINGS)
    for number, one in enumerate(_STRING.finditer(text, start)):
        if number in numbers:
            strings[number] = json.loads(one[0])
            if len(strings) == len(numbers):
                break
    return strings
