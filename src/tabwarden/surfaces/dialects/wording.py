"""Wording: where our words name a tool of the registry, what the dialect calls it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tabwarden.actions import ACTIONS

__all__ = ["reworded"]

_PIECES = re.compile(
    r"<page (?P<mark>\w+)>.*?</page (?P=mark)>"  # a page's own text, between its marks
    r'|"(?:\\.|[^"\\\n])*"'  # quoted: a page's or a script's
    r"|(?P<tool>browser_[a-z_]+)(?P<arguments>\([^()]*\))?",
    re.DOTALL,
)


def reworded(text: str, names: Mapping[str, str]) -> str:
    """A text of ours for a reader who has other tools.

    What a page said stays as it is: it is quoted, or stands between page marks.

    Args:
        text: what a dispatched action answered.
        names: for tools of the registry, how the dialect does the same; ``{}`` in it stands for
            the arguments, as ``(more="m3")``, which are left out else.
    """

    def piece(found: re.Match[str]) -> str:
        tool = found["tool"]
        if tool not in ACTIONS:
            return found[0]
        name = names.get(tool, f"{tool} (which is not in this dialect)")
        return name.replace("{}", found["arguments"] or "")

    return _PIECES.sub(piece, text)
