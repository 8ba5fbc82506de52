"""Choose a toolset by its name: one of Tabwarden's own, or a dialect. A dialect has another
product's tools, for agents that expect them. A dialect validates a call's fields, runs the call as
an action from the registry, and returns the result in the other product's format. Packages provide
dialects as entry points in the group ``tabwarden.toolsets``: an entry point's name is the dialect's
name, and its object creates the toolset. docs/dialects.md lists the differences from the original
tools.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tabwarden.actions import GROUPS, TOOLSETS, RegistryTools, Toolset
from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches

__all__ = ["dialects", "toolset_of"]

ENTRY_POINT_GROUP = "tabwarden.toolsets"


def toolset_of(tools: str = "core", dialect: str | None = None, *, field: str = "tools") -> Toolset:
    """Return the toolset with this name.

    Args:
        tools: the name of one of Tabwarden's own toolsets, or of a dialect. Separate several groups
            with commas: ``"storage,files"`` means the core toolset with both groups.
        dialect: the name of a dialect. Overrides ``tools``.
        field: the field name for errors about ``tools``.

    Raises:
        InvalidArgument: the toolset does not exist. The hint lists the available toolsets.
    """
    if dialect is None and tools in TOOLSETS:
        return TOOLSETS[tools]
    names = [name.strip() for name in tools.split(",")]
    if dialect is None and len(names) > 1:
        for name in names:
            if name not in TOOLSETS:
                raise _unknown(field, name, TOOLSETS)
        return RegistryTools(GROUPS if "full" in names else ["core", *names])
    name = tools if dialect is None else dialect
    if name in dialects():
        return _made(dialects()[name])
    if dialect is not None:
        raise _unknown("dialect", name, dialects())
    raise _unknown(field, name, [*TOOLSETS, *dialects()])


@cache
def dialects() -> dict[str, EntryPoint]:
    """Return the installed dialects, keyed by name, without loading them."""
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


@cache
def _made(point: EntryPoint) -> Toolset:
    toolset: Toolset = point.load()()
    return toolset


def _unknown(field: str, name: str, known: Iterable[str]) -> InvalidArgument:
    near = get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    return InvalidArgument(
        f"There are no {field} {name!r}." if field == "tools" else f"There is no {field} {name!r}.",
        f"{meant}Available: {', '.join(known)}.",
        field=field,
    )
