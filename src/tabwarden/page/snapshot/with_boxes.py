"""Write each element's box after its ref, for models that see screenshots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from tabwarden.page.elements import Box
from tabwarden.page.text import Line, Lines

_REF = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|\[ref=(e\d+)\]')
"""Matches a ref, or a quoted string, which may imitate a ref."""


def with_boxes(lines: Sequence[Line], boxes: Mapping[str, Box]) -> Sequence[Line]:
    """Return lines with ``[box=x,y,width,height]`` after each ref that has a box."""
    if not boxes:
        return lines

    def boxed(match: re.Match[str]) -> str:
        box = boxes.get(match[1]) if match[1] else None
        return match[0] if box is None else f"{match[0]} [box={','.join(map(str, whole(box)))}]"

    if isinstance(lines, Lines):
        texts = [_REF.sub(boxed, text) for text in lines.texts]
        made = Lines(lines.depths, lines.roles, texts, lines.numbers, lines.in_view)
        made.behind = lines.behind
        return made
    return [msgspec.structs.replace(line, text=_REF.sub(boxed, line.text)) for line in lines]


def whole(box: Box) -> list[int]:
    """Return a box in whole CSS pixels."""
    return [round(side) for side in box]
