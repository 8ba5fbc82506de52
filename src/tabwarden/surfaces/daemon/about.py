"""A session's status. Reading it never waits for a page."""

from __future__ import annotations

from typing import Any

from tabwarden.actions import Session
from tabwarden.page.control import control_json
from tabwarden.page.routing import unmatched
from tabwarden.page.task import dialog_json, tab_json
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.prompts import Prompts, prompts_json
from tabwarden.surfaces.daemon.hints import command


def is_open(session: Session) -> bool:
    now = session.current
    return now is not None and now.state.health.status != "gone"


def about(session: Session) -> dict[str, Any]:
    """Return the state of the browser, its tabs, and the open dialogs and prompts.

    The form is ``{open, health: {status, reason}, state, tabs, dialogs, prompts, unmatched_routes,
    control}``, plus one list per kind of prompt. ``prompts`` describes each prompt in words.
    ``control`` says who has control, and lists the hand-offs.
    """
    now = session.current
    if now is None:
        return {
            "open": False,
            "health": {"status": "closed", "reason": "no browser is open"},
            "state": "",
            "tabs": [],
            "dialogs": [],
            **prompts_json(()),
            "prompts": [],
            "unmatched_routes": [],
            "control": control_json(None),
        }
    state = now.state
    prompts = prompts_json(prompt for _, prompt in state.each())
    return {
        "open": is_open(session),
        "health": {"status": state.health.status, "reason": state.health.reason},
        "state": now.state_message(),
        "tabs": [tab_json(tab, active=tab.tab_id == state.active_tab_id) for tab in state.tabs],
        "dialogs": [dialog_json(dialog) for dialog in state.pending_dialogs],
        **prompts,
        "prompts": [
            f"{kind.words(one, quoted)}: {command(kind.step)}"
            for kind, one in Prompts(**prompts).each()
        ],
        "unmatched_routes": unmatched(state.routes),
        "control": control_json(now.control.lease if now.can_hand_off else None),
    }
