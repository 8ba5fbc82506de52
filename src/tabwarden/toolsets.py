"""Choose a toolset by its name: one of Tabwarden's own, or a dialect."""

from __future__ import annotations

from collections.abc import Mapping

from tabwarden.actions import GROUPS, TOOLSETS, RegistryTools, Toolset
from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches

__all__ = ["toolset_of"]


def toolset_of(tools: str = "core", dialect: str | None = None, *, field: str = "tools") -> Toolset:
    """Return the toolset with this name.

    Args:
        tools: the name of one of Tabwarden's own toolsets, or of a dialect. Several groups are
            separated by commas: ``"storage,files"`` is the core with both.
        dialect: the name of a dialect. Overrides ``tools``.
        field: the name of ``tools`` in an error.

    Raises:
        InvalidArgument: the toolset does not exist. The hint lists the available toolsets.
    """
    if dialect is None and tools in TOOLSETS:
        return TOOLSETS[tools]
    names = [name.strip() for name in tools.split(",")]
    if dialect is None and len(names) > 1:
        for name in names:
            _named(field, name, TOOLSETS)
        return RegistryTools(GROUPS if "full" in names else ["core", *names])
    from tabwarden.dialects import DIALECTS  # rarely needed

    if dialect is not None:
        return _named("dialect", dialect, DIALECTS)
    return _named(field, tools, {**TOOLSETS, **DIALECTS})


def _named(field: str, name: str, known: Mapping[str, Toolset]) -> Toolset:
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise InvalidArgument(
        f"There are no {field} {name!r}." if field == "tools" else f"There is no {field} {name!r}.",
        f"{meant}Available: {', '.join(known)}.",
        field=field,
    )
