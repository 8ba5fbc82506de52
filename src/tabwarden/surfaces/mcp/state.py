"""State: what a client can watch, without the SDK."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from tabwarden.actions import Session
from tabwarden.page.task import dialog_json, download_json, tab_json
from tabwarden.supervisor.core.prompts import prompts_json

STATE = "tabwarden://state"
SCREENSHOT = "tabwarden://screenshot"

Change: TypeAlias = Literal["tools", "state", "screenshot"]
"""A change that a client is notified of."""


def state_of(session: Session) -> dict[str, Any]:
    """Return the state of a session's browser as JSON. Never waits, even if a page hangs."""
    browser = session.current
    if browser is None:
        return {"open": False, "message": ""}
    state = browser.state
    return {
        "open": True,
        "message": browser.state_message(),
        "health": msgspec.to_builtins(state.health),
        "tabs": [tab_json(tab, active=tab.tab_id == state.active_tab_id) for tab in state.tabs],
        "pending_dialogs": [dialog_json(dialog) for dialog in state.pending_dialogs],
        **prompts_json(one for _, one in state.each()),
        "downloads": [download_json(download) for download in state.downloads],
    }
