"""Find the dialogs, password prompts and routes that block a page although the page does not
hang."""

from __future__ import annotations

from tabwarden.hints import Hint, Next
from tabwarden.page.text import address
from tabwarden.supervisor.core.prompts import AuthChallenge
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState


def blocking_dialogs(
    state: SupervisorState, tab_id: str, *, reads: bool = False
) -> tuple[PendingDialog, ...]:
    """Return the dialogs that keep a tab's page from replying: the page's own dialogs and its
    popups' dialogs. If ``reads``, leave out a dialog that pauses the page in the debugger, because
    reading still works then."""
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


def password_prompt(state: SupervisorState, tab_id: str) -> AuthChallenge | None:
    """Return the unanswered password prompt for a tab's next document. Until it is answered, the
    browser holds back all input to the page, so only ``auth`` or another navigation helps."""
    top = state.top_frame_id(tab_id)
    for prompt in state.prompts_of(AuthChallenge):
        if prompt.is_document and prompt.frame_id == top and not prompt.answered:
            return prompt
    return None


def is_blocked(state: SupervisorState, tab_id: str, *, reads: bool = False) -> bool:
    """Whether a dialog or a password prompt keeps a tab's page from replying. For ``reads``, see
    ``blocking_dialogs``."""
    is_asking = bool(blocking_dialogs(state, tab_id, reads=reads))
    return is_asking or password_prompt(state, tab_id) is not None


def delay_hint(state: SupervisorState, tab_id: str) -> str:
    """Return a hint about a request in a tab that a route delays; "" if no route delays a request.
    The document's own request takes precedence."""
    delayed = [one for one in state.delayed.values() if one.tab_id == tab_id]
    delayed.sort(key=lambda one: one.event.resource_type != "Document")
    if not delayed:
        return ""
    route = delayed[0].route
    return Hint(
        f"Route {route.id} delays the request for {address(delayed[0].event.request.url)} by "
        f"{route.delay_s:g} s. Remove the route",
        *(Next("route", mode="remove", route_id=route.id), "."),
    )
