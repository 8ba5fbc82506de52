"""Wording: our words name tools of the registry, which not every surface calls by these names."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["renamed"]

_PIECES = re.compile(
    r"<page (?P<mark>\w+)>.*?</page (?P=mark)>"  # a page's own text, between its marks
    r'|"(?:\\.|[^"\\\n])*"'  # quoted: a page's or a script's
    r"|(?P<tool>browser_[a-z_]+)(?P<arguments>\([^()]*\))?",
    re.DOTALL,
)


def renamed(text: str, say: Callable[[str, str], str | None]) -> str:
    """A text of ours for a reader who calls our tools otherwise.

    What a page said stays as it is: it is quoted, or stands between page marks.

    Args:
        text: what a dispatched action answered.
        say: a tool's name and its arguments (``(more="m3")``; empty without any) to what the
            reader calls that; None where it is no tool.
    """

    def piece(found: re.Match[str]) -> str:
        tool = found["tool"]
        said = say(tool, found["arguments"] or "") if tool else None
        return found[0] if said is None else said

    return _PIECES.sub(piece, text)
