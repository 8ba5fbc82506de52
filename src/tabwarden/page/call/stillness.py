"""Decide whether to wait for the page to stop changing before reading it, without I/O.

After an input (``after_input``), wait a moment for the effect, as a person does:

| the page | how long to wait |
|---|---|
| keeps changing, or is busy | until it is stable for 20 ms, at most 1 s |
| has not changed yet | until 150 ms after the input |
| has changed and rested | not at all |
| is read after a key or a hover | until 400 ms after the input, because lists appear late |

After a navigation (``after_arrival``), a person waits until the page shows some content:

| the page | how long to wait |
|---|---|
| shows nothing, and has no script | not at all |
| shows nothing, and has scripts | until it shows content, at most 5 s (0.7 s if all are inline) |
| shows little, and is busy | until it shows more, at most 5 s |
| shows a few words, no control, and has script files | until it is stable for 1 s, at most 5 s |
| shows enough, and keeps changing | until it is stable, at most 1 s |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from tabwarden.page.call.timing import (
    CALM_MS,
    DRAWN_MS,
    GLANCE_MS,
    LATE_MS,
    QUIET_MS,
    REST_MS,
    SCRIPTED_MS,
    SETTLE_MS,
    UNCHANGED_MS,
)

Decision = Literal["wait", "go", "changing"]
"""A decision: wait, read the page, or read it with a note that it is still changing."""

_LITTLE_TEXT = 60
_FEW_CONTROLS = 3


class Activity(msgspec.Struct, frozen=True, rename="camel"):
    """The activity in one or more documents, as the walker reports it."""

    rested_ms: float = 1e9
    """How many milliseconds ago the last change happened."""
    changed: bool = False
    """Whether an element was added, removed or shown since the last input."""
    busy: bool = False
    """Whether the document shows that it is busy: ``aria-busy``, a spinner, a transition,
    "Loading"."""
    text: int = 0
    """How many characters the document shows, up to 200."""
    controls: int = 0
    """How many controls and images the document shows, up to 5."""
    is_bare: bool = False
    """Whether the document shows at most a few words and images, such as a logo."""
    scripts: int = 0
    """0 if the document has no scripts, 1 if all its scripts are inline, 2 if some are files."""

    @property
    def is_blank(self) -> bool:
        return not self.text and not self.controls

    @property
    def is_undrawn(self) -> bool:
        """Whether the document shows nothing, or shows little and is busy."""
        is_sparse = self.text < _LITTLE_TEXT and self.controls < _FEW_CONTROLS
        is_logo = self.is_bare and self.scripts > 1 and self.rested_ms < SETTLE_MS
        return self.is_blank or is_logo or (is_sparse and self.busy)


def combine(documents: Iterable[Activity]) -> Activity:
    """Combine the activity in several documents."""
    activities = list(documents)
    return Activity(
        rested_ms=min((one.rested_ms for one in activities), default=1e9),
        changed=any(one.changed for one in activities),
        busy=any(one.busy for one in activities),
        text=sum(one.text for one in activities),
        controls=sum(one.controls for one in activities),
        is_bare=all(one.is_bare for one in activities),
        scripts=max((one.scripts for one in activities), default=0),
    )


def after_input(
    activity: Activity, waited_ms: float, *, may_be_late: bool, has_facts: bool = False
) -> Decision:
    """Decide what to do after an input.

    Args:
        activity: the activity of the page.
        waited_ms: milliseconds since the input.
        may_be_late: whether the input was a key or a hover, after which lists often appear late.
        has_facts: whether the browser has reported an effect, such as a dialog or a new URL.
    """
    if activity.rested_ms < REST_MS or activity.busy:
        return "wait" if waited_ms < SETTLE_MS else "changing"
    is_observed = activity.changed or has_facts
    least_ms: float = LATE_MS if may_be_late else 0 if is_observed else UNCHANGED_MS
    return "wait" if waited_ms < least_ms else "go"


def next_look_ms(activity: Activity, waited_ms: float, *, may_be_late: bool) -> float:
    """Return how long the page must stay unchanged after an input before the next decision."""
    if activity.rested_ms < REST_MS:
        return REST_MS - activity.rested_ms
    if activity.busy:
        return GLANCE_MS
    return max(1.0, (LATE_MS if may_be_late else UNCHANGED_MS) - waited_ms)


def after_arrival(activity: Activity, waited_ms: float, drawn_ms: float = 0) -> Decision:
    """Decide what to do after a navigation. ``drawn_ms``: how long ago the page first showed
    something."""
    if activity.is_blank:
        if not activity.scripts:
            return "go"
        is_application = activity.scripts > 1 or activity.busy
        if waited_ms < (DRAWN_MS if is_application else SCRIPTED_MS):
            return "wait"
        return "changing" if is_application else "go"
    if activity.is_undrawn:
        return "wait" if waited_ms < DRAWN_MS else "changing"
    is_late = waited_ms - drawn_ms > QUIET_MS  # the page's scripts render its content
    if not activity.scripts or activity.rested_ms >= (CALM_MS if is_late else QUIET_MS):
        return "go"
    return "wait" if drawn_ms < SETTLE_MS else "changing"
