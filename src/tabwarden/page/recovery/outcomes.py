"""The possible outcomes of a rescue, with what each loses and its hint."""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.hints import Hint, Next
from tabwarden.page.task import RescueState, RunningScript, answers
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState

LONGEST_URL = 300
"""The maximum length of a URL in a hint, in characters."""
LOST = ["the state of the page's scripts", "unsubmitted form data", "refs"]
"""What is lost when a tab loses its document."""
_ALL = (*LOST, "history", "scroll position")
_EMPTY = (
    "The page hung while loading and would hang again, so the tab now shows about:blank. "
    "Navigate to another URL."
)


class Outcome(NamedTuple):
    state: RescueState
    hint: str = ""
    """What the agent should do next. If it is empty, the ladder writes a hint about the dialog,
    script or tab."""
    lost: tuple[str, ...] = ()


WAITS_FOR_DIALOG = Outcome("waits for a dialog")
IDLE = Outcome("idle")
BUSY = Outcome("busy")
UNRESOLVED = Outcome("recovering")
GONE = Outcome("gone", "", (*_ALL, "the tab"))
STOPPED_NAVIGATING = Outcome(
    "freed",
    "The page kept navigating on its own, so Tabwarden stopped the navigations. Take a snapshot. "
    "If the tab shows the wrong page, navigate to the right page.",
    ("the page's timers",),
)
FREED = Outcome(
    "freed",
    "The script that hung the page was stopped. The tab works again. Take a snapshot and continue.",
)
FREED_FROM_QUEUE = Outcome(
    "freed",
    "The script that hung the page was stopped, and so were the scripts queued behind it. The tab "
    "works again. Take a snapshot and continue.",
)
FREED_FROM_SERIES = Outcome(
    "freed",
    "The script that hung the page was stopped, and so were all scripts that ran after it. The tab "
    "works again. Take a snapshot and continue.",
)
FREED_BY_CLEARING = Outcome(
    "freed",
    "The page hung again each time its script was stopped, so its timers were cleared. Take a "
    "snapshot. If a part of the page no longer updates, reload the page.",
    ("the page's timers",),
)
QUIETED = Outcome(
    "quieted",
    Hint(
        "The page hung again each time its scripts were stopped, so Tabwarden switched them off. "
        "You can read the page, navigate away",
        *(Next("navigate", url="..."), ", or try the page again", Next("reload"), "."),
    ),
    ("the page's scripts (until the tab leaves the page)",),
)
STOPPED_LOADING = Outcome(
    "freed",
    "An endless document kept the page busy, so Tabwarden stopped loading it. The page shows the "
    "part that was received. Take a snapshot and continue.",
    ("the rest of the document",),
)
FREED_ITSELF = Outcome("freed", "The page no longer hangs. Take a snapshot and continue.")
FRAMES_RENEWED = Outcome(
    "renewed",
    "A frame hung in native code, so it was reloaded. The rest of the page is unchanged. "
    "Take a snapshot.",
    ("the frame's content",),
)
RENEWED = Outcome(
    "renewed",
    "The page hung and its script could not be stopped, so the last URL was loaded again in a new "
    "renderer process. The tab keeps its history. Take a snapshot.",
    (*LOST, "scroll position"),
)
RENEWED_EMPTY = RENEWED._replace(hint=_EMPTY)
REPLACED = Outcome(
    "replaced",
    "The page hung and its script could not be stopped, so a new tab with the last URL replaced "
    "the tab. Take a snapshot.",
    _ALL,
)
REPLACED_EMPTY = REPLACED._replace(hint=_EMPTY)
REPLACED_AT_DESTINATION = REPLACED._replace(
    hint="The page hung while unloading and could not be stopped, so Tabwarden closed the tab and "
    "opened the next URL in a new tab. Take a snapshot."
)


def why_idle(state: SupervisorState, tab_id: str, given_up: str | None) -> str:
    """Explain why a call ran out of time although the page is responding.

    Args:
        state, tab_id: the supervisor's state, and the tab.
        given_up: the URL of a canceled navigation; "" if the URL is unknown, None if no navigation
            was canceled.
    """
    top = state.top_frame(tab_id)
    url = top.url[:LONGEST_URL] if top is not None else ""
    if given_up is not None:
        return (
            f"The server has not responded{f' for {given_up[:LONGEST_URL]}' if given_up else ''}, "
            f"so the navigation was canceled. The tab still shows {url or 'the previous page'}. "
            "Navigate to another URL."
        )
    if top is not None and top.lifecycle and "load" not in top.lifecycle:
        missing = "a script, a stylesheet or an image has"
        if not top.is_parsed:
            missing = "the document itself, or a script or a stylesheet in it, has"
        return (
            f"{url} responds but has not finished loading: {missing} not been received. "
            "Take a snapshot to see the page so far."
        )
    return "The page responds, but the awaited event did not happen. Take a snapshot and continue."


def queued_hint(script: RunningScript) -> str:
    return (
        "Another call's script is running in this tab, and this call was waiting for it. The "
        f"script stops when its time limit expires (in {script.budget.remaining_s():.1f} s) or "
        "when it is canceled."
    )


def sibling_dialog_hint(dialog: PendingDialog) -> str:
    """Return the hint about a dialog in another tab of the same renderer."""
    return Hint(
        f"Dialog {dialog.id} ({dialog.type}) is waiting in tab {dialog.tab_id}, which shares this "
        "tab's renderer process. To continue, ",
        *(answers(dialog.id, dialog.type), "."),
    )
