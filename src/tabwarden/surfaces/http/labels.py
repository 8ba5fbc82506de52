"""Labels: names that clients give to tabs, beside those that tabs have (``t1``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from tabwarden.browser import Browser
from tabwarden.errors import InvalidArgument
from tabwarden.supervisor import SupervisorSnapshot

__all__ = ["Labels", "checked_label", "with_tabs_named"]

_LONGEST = 100
_OWN_NAME = re.compile(r"t\d+")


class Labels:
    """Of each browser its own, for as long as it is open; a label ends with its tab."""

    def __init__(self) -> None:
        self._given: WeakKeyDictionary[Browser, dict[str, str]] = WeakKeyDictionary()

    def of(self, browser: Browser | None) -> Mapping[str, str]:
        """The labels of a browser's tabs: label to ``tab_id``."""
        if browser is None:
            return {}
        there = {tab.tab_id for tab in browser.state.tabs}
        given = self._given.get(browser, {})
        return {label: tab_id for label, tab_id in given.items() if tab_id in there}

    def give(self, browser: Browser, tab_id: str, label: str) -> None:
        """Call a tab by a label from now on."""
        self._given[browser] = {**self.of(browser), label: tab_id}


def checked_label(label: str, state: SupervisorSnapshot | None, taken: Mapping[str, str]) -> str:
    """A label that a tab may be given.

    Args:
        label: as a client wrote it.
        state: of the browser; None: none is open.
        taken: the labels that there are.

    Raises:
        InvalidArgument: it can't be one, or another tab has it.
    """
    label = label.strip()
    why = ""
    if not label or len(label) > _LONGEST or not label.isprintable():
        why = f"is not 1 to {_LONGEST} characters of one line"
    elif label in taken:
        why = f"is what tab {taken[label]} is called"
    elif _OWN_NAME.fullmatch(label) or any(
        tab.target_id.upper().startswith(label.upper()) for tab in (state.tabs if state else ())
    ):
        why = "could be the name of a tab itself"
    if why:
        raise InvalidArgument(
            f"The label {label[:_LONGEST]!r} {why}.", "Choose another.", field="label"
        )
    return label


def with_tabs_named(given: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """A request's fields with tabs by their own names; of a batch those of its actions too."""
    named = dict(given)
    if isinstance(target := named.get("targetId"), str):
        named["targetId"] = labels.get(target, target)
    if isinstance(actions := named.get("actions"), list):
        named["actions"] = [
            with_tabs_named(one, labels) if isinstance(one, dict) else one for one in actions
        ]
    return named
