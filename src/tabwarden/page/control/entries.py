"""Entries: what people did for an agent, as entries of its journal, beside its calls."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from tabwarden.journal import Journal
from tabwarden.page.control.lease import Change, Ended, Released
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.state.state import SupervisorState

RECORDED = ("control", "answer")
"""The actions of these entries: a person had control, and a hand-off ended."""


def record(journal: Journal, changes: Sequence[Change], did: str, state: SupervisorState) -> None:
    """Add what ended with some changes of one moment to a journal.

    Args:
        did: what the person did who had control, without any text that they typed.
    """
    tab = state.tabs.get(state.active_tab_id or "")
    where: dict[str, Any] = {} if tab is None else {
        "tab_id": tab.tab_id, "url": tab.url, "title": tab.title
    }  # fmt: skip
    now = time.time()
    for change in changes:
        match change:
            case Released(person, why, message):
                journal.add(
                    "control", {"ended": why}, by=person.name, began=person.since, ended=now,
                    effect=did, note=_wrote(message), **where,
                )  # fmt: skip
            case Ended(handoff):
                journal.add(
                    "answer", {"reason": handoff.reason, "outcome": handoff.outcome},
                    by=handoff.by, began=now, ended=now, effect=handoff.outcome or "",
                    note=_wrote(handoff.message), **where,
                )  # fmt: skip


def _wrote(message: str) -> str:
    return f"wrote {quoted(message)}" if message else ""
