"""What keeps a tab's page from answering that is no hang: dialogs, its own and its popups'."""

from __future__ import annotations

from tabwarden.supervisor import PendingDialog, SupervisorState

__all__ = ["blocking_dialogs"]


def blocking_dialogs(
    state: SupervisorState, tab_id: str, *, reads: bool = False
) -> tuple[PendingDialog, ...]:
    """The dialogs that keep a tab's page from answering: its own, and its popups'.

    One that waits in the debugger keeps it from acting, not from being read.
    """
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
