"""Choosing: which toolset a host's model is shown, by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from tabwarden.actions import TOOLSETS, Toolset
from tabwarden.errors import InvalidArgument

__all__ = ["toolset_of"]

_DIALECTS = "tabwarden.surfaces.dialects"


def toolset_of(tools: str = "full", dialect: str | None = None) -> Toolset:
    """The toolset of a name.

    Args:
        tools: one of ours, or a dialect.
        dialect: a dialect; it takes the place of ``tools``.

    Raises:
        InvalidArgument: there is no such one; the hint lists those there are.
    """
    dialects = _dialects()
    if dialect is not None:
        return _named("dialect", dialect, dialects)
    return _named("tools", tools, {**TOOLSETS, **dialects})


def _dialects() -> Mapping[str, Toolset]:
    # Looked up when one is asked for: few hosts do.
    if find_spec(_DIALECTS) is None:
        return {}
    found: Mapping[str, Toolset] = import_module(_DIALECTS).DIALECTS
    return found


def _named(field: str, name: str, known: Mapping[str, Toolset]) -> Toolset:
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    listed = ", ".join(known) or "none"
    raise InvalidArgument(
        f"There are no {field} {name!r}." if field == "tools" else f"There is no {field} {name!r}.",
        f"{meant}There {'is' if len(known) < 2 else 'are'}: {listed}.",
        field=field,
    )
