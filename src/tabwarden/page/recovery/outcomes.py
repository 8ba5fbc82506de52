"""Outcomes: how a rescue ended, what that cost, and what to do next."""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.hints import Hint, Next
from tabwarden.page.task import RescueState, RunningScript, answers
from tabwarden.supervisor import PendingDialog, SupervisorState

_URL = 300
"""The most characters of a URL in a hint."""
LOST = ["what the page's scripts held in memory", "form data that was not submitted", "refs"]
"""What is lost when the document is."""
_ALL = (*LOST, "history", "scroll position")
_EMPTY = (
    "The page hung while loading and would hang again; the tab now shows about:blank. "
    "Navigate somewhere else."
)


class Outcome(NamedTuple):
    """How a rescue ended."""

    state: RescueState
    hint: str = ""
    """If empty, the ladder writes the hint, because it knows which dialog, script or tab is
    involved."""
    lost: tuple[str, ...] = ()


WAITS_FOR_DIALOG = Outcome("waits for a dialog")
IDLE = Outcome("idle")
BUSY = Outcome("busy")
UNRESOLVED = Outcome("recovering")
GONE = Outcome("gone", "", (*_ALL, "the tab"))
STOPPED_NAVIGATING = Outcome(
    "freed",
    "The page kept navigating on its own, so Tabwarden stopped it. Take a snapshot, and "
    "navigate elsewhere if it is the wrong page.",
    ("the page's timers",),
)
FREED = Outcome(
    "freed", "The script that hung the page was stopped; the tab works. Take a snapshot and go on."
)
FREED_FROM_QUEUE = Outcome(
    "freed",
    "The scripts that hung the page, one behind the other, were stopped; the tab works. Take a "
    "snapshot and go on.",
)
FREED_FROM_SERIES = Outcome(
    "freed",
    "The scripts that hung the page, one after the other, were stopped; the tab works. "
    "Take a snapshot and go on.",
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
        "The page hangs again each time it is stopped, so its scripts are off. You can read it, "
        "leave it",
        *(Next("navigate", url="..."), ", or try it again", Next("reload"), "."),
    ),
    ("the page's scripts, until it is left",),
)
FREED_ITSELF = Outcome("freed", "The page no longer hangs. Take a snapshot and go on.")
FRAMES_RENEWED = Outcome(
    "renewed",
    "A frame hung in native code, so it was reloaded. The rest of the page is unchanged. "
    "Take a snapshot.",
    ("what that frame held",),
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
    hint="The page hung while unloading and could not be stopped, so a new tab at the next URL "
    "replaced the tab. Take a snapshot."
)


def why_idle(state: SupervisorState, tab_id: str, given_up: str | None) -> str:
    """Explain, as far as is known, why a call ran out of time although the page answers.

    Args:
        state, tab_id: the tab, and the supervisor's state.
        given_up: the URL of a navigation that was cancelled; "" if its URL is unknown, None if no
            navigation was cancelled.
    """
    top = state.top_frame(tab_id)
    here = top.url[:_URL] if top is not None else ""
    if given_up is not None:
        return (
            f"The server has not answered{f' for {given_up[:_URL]}' if given_up else ''}, so "
            f"the navigation was cancelled: {here or 'the page before it'} is still in the "
            "tab. Go elsewhere."
        )
    if top is not None and top.lifecycle and "load" not in top.lifecycle:
        return (
            f"{here} responds but has not finished loading: a script, a stylesheet or an "
            "image has not arrived. Take a snapshot to see the page so far."
        )
    return "The page responds, but the awaited event did not happen. Take a snapshot and go on."


def queued_hint(script: RunningScript) -> str:
    """Return what to do while another call's script keeps the page busy."""
    return (
        "Another call's script runs in this tab, so this one waited behind it. That script "
        f"stops when its own time limit passes, in {script.budget.remaining_s():.1f} s, or "
        "when it is cancelled."
    )


def kin_dialog_hint(dialog: PendingDialog) -> str:
    """Return what to do about a dialog in another tab of the same renderer."""
    return Hint(
        f"Dialog {dialog.id} ({dialog.type}) waits in tab {dialog.tab_id}, which shares this tab's "
        "renderer. To go on, ",
        *(answers(dialog.id, dialog.type), "."),
    )
