"""Choose a toolset by its name: one of Tabwarden's own, or a dialect.

A dialect has the tools of another product, for agents that expect them. It checks the fields of a
call, runs the call as an action of the registry, and answers in the format of the original.
Packages offer dialects as entry points of the group ``tabwarden.toolsets``: an entry point's name
is the dialect's, and its object makes the toolset. docs/dialects.md lists what differs.
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
    """Return the dialects that installed packages offer, by name, without loading them."""
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
