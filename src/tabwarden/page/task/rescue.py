"""A rescue: the steps taken to recover a tab, the tab's state, and the losses."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Literal, TypeAlias

from tabwarden.hints import joined
from tabwarden.page.task.timing import PAST_DEADLINE_MS, RELOAD_MS
from tabwarden.telemetry import Telemetry

RescueState: TypeAlias = Literal[
    "idle",
    "busy",
    "freed",
    "quieted",
    "renewed",
    "replaced",
    "reviving",
    "revived",
    "recovering",
    "gone",
    "waits for a dialog",
]


_TAKEN: tuple[RescueState, ...] = ("freed", "quieted", "renewed", "replaced")


class Rescue:
    """One rescue of one tab, shared by all calls that wait for it."""

    def __init__(self, tab_id: str, telemetry: Telemetry, patience: float = 1.0) -> None:
        self.steps: list[str] = []
        self.state: RescueState = "recovering"
        self.hint = (
            "The tab is recovering, and the next call on it waits for the recovery. Take "
            "a snapshot."
        )
        self.lost: list[str] = []
        self.work: asyncio.Task[None]
        self.aside = ""
        """A remark that is always added to the rescue's hint."""
        self.unseen = False
        """Whether a call stopped waiting before the rescue was over."""
        self._renews = False
        self._in_place_ms = min(PAST_DEADLINE_MS * patience, RELOAD_MS)
        self._tab_id = tab_id
        self._telemetry = telemetry

    def did(self, step: str) -> None:
        self.steps.append(step)
        self._telemetry.ladder_step(step.partition(":")[0], tab_id=self._tab_id)

    def ended(self, state: RescueState, hint: str, lost: list[str] | None = None) -> None:
        self.state, self.lost = state, lost or []
        self.hint = joined(hint, self.aside)

    def renews(self) -> None:
        """Record that the page will be reloaded or replaced, so that calls may wait longer."""
        self._renews = True

    async def waited(self, deadline: float) -> None:
        """Wait for the rescue, but only for a limited time past a call's deadline (monotonic
        seconds). After that, the rescue continues in the background."""
        await asyncio.wait([self.work], timeout=_left_s(deadline, self._in_place_ms))
        if self._renews and not self.work.done():
            await asyncio.wait([self.work], timeout=_left_s(deadline, RELOAD_MS))
        self.unseen = self.unseen or not self.work.done()

    def recovery(self) -> str:
        """Return the note for the next call if no call waited until the end of this rescue."""
        has_cost = self.unseen and (self.lost or self.aside)
        return joined("The tab had hung.", self.hint) if has_cost else ""

    def relapse(self) -> str:
        """Return the note for a call whose page hung again; "" if the page lost nothing in the
        rescue."""
        if self.state not in _TAKEN:
            return ""
        return joined("The page hung again. This call did not wait for it to recover.", self.hint)

    def report(self) -> dict[str, Any]:
        """Return ``{steps, state}`` for an error's data, and ``lost`` if there were losses."""
        report: dict[str, Any] = {"steps": list(self.steps), "state": self.state}
        if not self.work.done():
            report["steps"].append("not finished: recovery continues in the background")
        if self.lost:
            report["lost"] = list(self.lost)
        return report


def _left_s(deadline: float, over_ms: float) -> float:
    return max(0.0, deadline + over_ms / 1000 - time.monotonic())
