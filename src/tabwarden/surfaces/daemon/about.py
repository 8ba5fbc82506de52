"""What there is to say about a session without waiting for a page."""

from __future__ import annotations

from typing import Any

from tabwarden.actions import Session
from tabwarden.page.result import auth_json, chooser_json, dialog_json, tab_json

__all__ = ["about", "is_open"]


def is_open(session: Session) -> bool:
    """Whether there is a browser that can be used."""
    now = session.current
    return now is not None and now.state.health.status != "gone"


def about(session: Session) -> dict[str, Any]:
    """The browser, its tabs, and what waits for an answer; from the state, which is always there.

    ``{open, health: {status, reason}, state, tabs, dialogs, file_choosers, auth_challenges}``.
    """
    now = session.current
    if now is None:
        return {
            "open": False,
            "health": {"status": "closed", "reason": "no browser is open"},
            "state": "",
            "tabs": [],
            "dialogs": [],
            "file_choosers": [],
            "auth_challenges": [],
        }
    state = now.state
    return {
        "open": is_open(session),
        "health": {"status": state.health.status, "reason": state.health.reason},
        "state": now.state_message(),
        "tabs": [tab_json(tab, active=tab.tab_id == state.active_tab_id) for tab in state.tabs],
        "dialogs": [dialog_json(dialog) for dialog in state.pending_dialogs],
        "file_choosers": [chooser_json(chooser) for chooser in state.file_choosers],
        "auth_challenges": [auth_json(one) for one in state.auth_challenges if not one.answered],
    }
