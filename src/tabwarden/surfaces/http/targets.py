"""Targets: which tab a ``targetId`` means."""

from __future__ import annotations

from tabwarden.errors import InvalidArgument
from tabwarden.supervisor import SupervisorSnapshot

__all__ = ["NoSuchTab", "tab_named"]


class NoSuchTab(InvalidArgument):
    """No tab is called so."""


def tab_named(state: SupervisorSnapshot, target_id: str) -> str:
    """The ``tab_id`` of a tab that is called by it, by its target id, or by the beginning of that.

    Raises:
        NoSuchTab: there is none.
        InvalidArgument: several begin so.
    """
    if any(tab.tab_id == target_id for tab in state.tabs):
        return target_id
    wanted = target_id.upper()
    found = [tab for tab in state.tabs if wanted and tab.target_id.upper().startswith(wanted)]
    if len(found) == 1:
        return found[0].tab_id
    candidates = found or state.tabs
    known = ", ".join(f"{tab.tab_id} ({tab.target_id})" for tab in candidates) or "none"
    kind, what = (
        (InvalidArgument, "Several tabs begin with") if found else (NoSuchTab, "There is no tab")
    )
    raise kind(
        f"{what} {target_id[:100]!r}.",
        f"Tabs: {known}.",
        field="targetId",
        tabs=[tab.tab_id for tab in candidates],
    )
