"""Wording: where our words name a tool of the registry, what the dialect calls it."""

from __future__ import annotations

from collections.abc import Mapping

from tabwarden.actions import ACTIONS
from tabwarden.surfaces.wording import renamed

__all__ = ["reworded"]


def reworded(text: str, names: Mapping[str, str]) -> str:
    """A text of ours for a reader who has other tools; see ``renamed``.

    Args:
        text: what a dispatched action answered.
        names: for tools of the registry, how the dialect does the same; ``{}`` in it stands for
            the arguments, as ``(more="m3")``, which are left out else.
    """

    def say(tool: str, arguments: str) -> str | None:
        if tool not in ACTIONS:
            return None
        name = names.get(tool, f"{tool} (which is not in this dialect)")
        return name.replace("{}", arguments)

    return renamed(text, say)
