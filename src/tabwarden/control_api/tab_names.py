"""Find a tab by the name that a client uses: label, ``tab_id``, target ID, or a prefix of the
target ID.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from tabwarden.browser import Browser
from tabwarden.errors import InvalidArgument
from tabwarden.supervisor.core import SupervisorSnapshot

_LONGEST = 100
_OWN_NAME = re.compile(r"t\d+")


class Labels:
    """The labels of the tabs in each open browser. A label lasts until its tab closes."""

    def __init__(self) -> None:
        self._labels: WeakKeyDictionary[Browser, dict[str, str]] = WeakKeyDictionary()

    def of(self, browser: Browser | None) -> Mapping[str, str]:
        """Return a browser's tab labels, each mapped to its ``tab_id``."""
        if browser is None:
            return {}
        there = {tab.tab_id for tab in browser.state.tabs}
        labels = self._labels.get(browser, {})
        return {label: tab_id for label, tab_id in labels.items() if tab_id in there}

    def give(self, browser: Browser, tab_id: str, label: str) -> None:
        self._labels[browser] = {**self.of(browser), label: tab_id}


def checked_label(label: str, state: SupervisorSnapshot | None, taken: Mapping[str, str]) -> str:
    """Check a client's label for a new tab, and return it without surrounding spaces.

    Args:
        state: the browser's state; None if no browser is open.
        taken: the labels that are already in use.

    Raises:
        InvalidArgument: the label is invalid, or another tab has this label.
    """
    label = label.strip()
    why = ""
    if not label or len(label) > _LONGEST or not label.isprintable():
        why = f"must be one line of 1 to {_LONGEST} characters"
    elif label in taken:
        why = f"already belongs to tab {taken[label]}"
    elif _OWN_NAME.fullmatch(label) or any(
        tab.target_id.upper().startswith(label.upper()) for tab in (state.tabs if state else ())
    ):
        why = "looks like a tab id"
    if why:
        raise InvalidArgument(
            f"The label {label[:_LONGEST]!r} {why}.", "Choose another.", field="label"
        )
    return label


def with_tabs_named(given: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """Replace each label with its ``tab_id`` in a request's fields and in a batch's actions."""
    named = dict(given)
    if isinstance(target := named.get("targetId"), str):
        named["targetId"] = labels.get(target, target)
    if isinstance(actions := named.get("actions"), list):
        named["actions"] = [
            with_tabs_named(one, labels) if isinstance(one, dict) else one for one in actions
        ]
    return named


def with_tab(state: SupervisorSnapshot, arguments: dict[str, Any]) -> dict[str, Any]:
    """Replace the client's name for a tab with its ``tab_id``."""
    named = arguments.get("tab_id")
    return arguments if named is None else {**arguments, "tab_id": tab_named(state, named)}


class NoSuchTab(InvalidArgument):
    """No tab has this name."""


def tab_named(state: SupervisorSnapshot, target_id: str) -> str:
    """Return the ``tab_id`` of the tab that a client named.

    The client can send the ``tab_id``, the target id, or a prefix of the target id.

    Raises:
        NoSuchTab: no tab matches.
        InvalidArgument: several tabs match.
    """
    if any(tab.tab_id == target_id for tab in state.tabs):
        return target_id
    wanted = target_id.upper()
    matches = [tab for tab in state.tabs if wanted and tab.target_id.upper().startswith(wanted)]
    if len(matches) == 1:
        return matches[0].tab_id
    candidates = matches or state.tabs
    known = ", ".join(f"{tab.tab_id} ({tab.target_id})" for tab in candidates) or "none"
    kind, what = (
        (InvalidArgument, "Several tabs begin with") if matches else (NoSuchTab, "There is no tab")
    )
    raise kind(
        f"{what} {target_id[:100]!r}.",
        f"Tabs: {known}.",
        field="targetId",
        tabs=[tab.tab_id for tab in candidates],
    )
