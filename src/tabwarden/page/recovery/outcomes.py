"""Outcomes: the end of a rescue, with its cost and a hint."""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.hints import Hint, Next
from tabwarden.page.task import RescueState, RunningScript, answers
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState

LONGEST_URL = 300
"""The maximum number of characters of a URL in a hint."""
LOST = ["the state of the page's scripts", "form data that was not submitted", "refs"]
"""The losses when a tab loses its document."""
_ALL = (*LOST, "history", "scroll position")
_EMPTY = (
    "The page hung while loading and would hang again; the tab now shows about:blank. "
    "Navigate somewhere else."
)


class Outcome(NamedTuple):
    state: RescueState
    hint: str = ""
    """If empty, the ladder writes a hint that names the dialog, script or tab."""
    lost: tuple[str, ...] = ()


WAITS_FOR_DIALOG = Outcome("waits for a dialog")
IDLE = Outcome("idle")
BUSY = Outcome("busy")
UNRESOLVED = Outcome("recovering")
GONE = Outcome("gone", "", (*_ALL, "the tab"))
STOPPED_NAVIGATING = Outcome(
    "freed",
    "The page kept navigating on its own, so Tabwarden stopped it. Take a snapshot. If the "
    "tab shows the wrong page, navigate to the right one.",
    ("the page's timers",),
)
FREED = Outcome(
    "freed", "The script that hung the page was stopped; the tab works. Take a snapshot and go on."
)
FREED_FROM_QUEUE = Outcome(
    "freed",
    "The script that hung the page was stopped, as were those queued behind it; the tab works. "
    "Take a snapshot and go on.",
)
FREED_FROM_SERIES = Outcome(
    "freed",
    "The script that hung the page was stopped, as were all that ran after it; the tab works. Take "
    "a snapshot and go on.",
)
FREED_BY_CLEARING = Outcome(
    "freed",
    "The page hung again each time its script was stopped, so its timers were cleared. Take "
    "a snapshot, and reload the page if something no longer moves.",
    ("the page's timers",),
)
QUIETED = Outcome(
    "quieted",
    Hint(
        "The page hangs again each time its scripts are stopped, so Tabwarden switched them off. "
        "You can read the page, navigate away",
        *(Next("navigate", url="..."), ", or try the page again", Next("reload"), "."),
    ),
    ("the page's scripts, until the tab leaves the page",),
)
STOPPED_LOADING = Outcome(
    "freed",
    "A document that does not end kept the page busy, so Tabwarden stopped loading it. The part "
    "that arrived is there. Take a snapshot and go on.",
    ("the rest of the document",),
)
FREED_ITSELF = Outcome("freed", "The page no longer hangs. Take a snapshot and go on.")
FRAMES_RENEWED = Outcome(
    "renewed",
    "A frame hung in native code, so it was reloaded. The rest of the page is unchanged. "
    "Take a snapshot.",
    ("the content of that frame",),
)
RENEWED = Outcome(
    "renewed",
    "The page hung and could not be stopped, so it was reloaded at its last URL in a new "
    "renderer. The tab keeps its history. Take a snapshot.",
    (*LOST, "scroll position"),
)
RENEWED_EMPTY = RENEWED._replace(hint=_EMPTY)
REPLACED = Outcome(
    "replaced",
    "The page hung and could not be stopped, so a new tab at its last URL replaced the tab. "
    "Take a snapshot.",
    _ALL,
)
REPLACED_EMPTY = REPLACED._replace(hint=_EMPTY)
REPLACED_AT_DESTINATION = REPLACED._replace(
    hint="The page hung while unloading and could not be stopped. Tabwarden closed its tab and "
    "opened the next URL in a new one. Take a snapshot."
)


def why_idle(state: SupervisorState, tab_id: str, given_up: str | None) -> str:
    """Explain why a call ran out of time although the page answers.

    Args:
        state, tab_id: the tab, and the supervisor's state.
        given_up: the URL of a navigation that was cancelled; "" if its URL is unknown, None if no
            navigation was cancelled.
    """
    top = state.top_frame(tab_id)
    url = top.url[:LONGEST_URL] if top is not None else ""
    if given_up is not None:
        return (
            f"The server has not answered{f' for {given_up[:LONGEST_URL]}' if given_up else ''}, "
            f"so the navigation was cancelled: {url or 'the page before it'} is still in the "
            "tab. Navigate somewhere else."
        )
    if top is not None and top.lifecycle and "load" not in top.lifecycle:
        missing = "a script, a stylesheet or an image has"
        if not top.is_parsed:
            missing = "the document itself, or a script or a stylesheet in it, has"
        return (
            f"{url} responds but has not finished loading: {missing} not arrived. "
            "Take a snapshot to see the page so far."
        )
    return "The page responds, but the awaited event did not happen. Take a snapshot and go on."


def queued_hint(script: RunningScript) -> str:
    return (
        "Another call's script is running in this tab, and this call waited behind it. That script "
        f"stops when its own time limit passes, in {script.budget.remaining_s():.1f} s, or "
        "when it is cancelled."
    )


def sibling_dialog_hint(dialog: PendingDialog) -> str:
    """Return the hint about a dialog in another tab of the same renderer."""
    return Hint(
        f"Dialog {dialog.id} ({dialog.type}) waits in tab {dialog.tab_id}, which shares this tab's "
        "renderer. To go on, ",
        *(answers(dialog.id, dialog.type), "."),
    )
