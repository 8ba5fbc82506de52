"""Choosing: which toolset a model is shown, by name: ours, or a dialect."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from tabwarden.actions import TOOLSETS, Toolset
from tabwarden.errors import InvalidArgument

__all__ = ["toolset_of"]


def toolset_of(tools: str = "full", dialect: str | None = None, *, field: str = "tools") -> Toolset:
    """The toolset of a name.

    Args:
        tools: one of ours, or a dialect.
        dialect: a dialect; it takes the place of ``tools``.
        field: what an error calls ``tools``.

    Raises:
        InvalidArgument: there is no such one; the hint lists those there are.
    """
    if dialect is None and tools in TOOLSETS:
        return TOOLSETS[tools]
    from tabwarden.surfaces.dialects import DIALECTS  # few ask for one

    if dialect is not None:
        return _named("dialect", dialect, DIALECTS)
    return _named(field, tools, {**TOOLSETS, **DIALECTS})


def _named(field: str, name: str, known: Mapping[str, Toolset]) -> Toolset:
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise InvalidArgument(
        f"There are no {field} {name!r}." if field == "tools" else f"There is no {field} {name!r}.",
        f"{meant}There are: {', '.join(known)}.",
        field=field,
    )
