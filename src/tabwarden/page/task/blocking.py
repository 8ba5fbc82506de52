"""Blocking: dialogs that keep a page from replying although it does not hang."""

from __future__ import annotations

from tabwarden.supervisor import PendingDialog, SupervisorState


def blocking_dialogs(
    state: SupervisorState, tab_id: str, *, reads: bool = False
) -> tuple[PendingDialog, ...]:
    """Return the dialogs that keep a tab's page from replying: its own and those of its popups. If
    a dialog pauses the page in the debugger, an action that only ``reads`` still works."""
    return tuple(
        dialog
        for dialog in state.pending_dialogs
        if dialog.answer is None
        and not (reads and dialog.channel == "debugger")
        and (
            dialog.tab_id == tab_id
            or ((tab := state.tabs.get(dialog.tab_id)) is not None and tab.opener_tab_id == tab_id)
        )
    )
