"""The story of one rescue: what was done, how the tab is now, what it cost."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Literal, NamedTuple, TypeAlias

from tabwarden.telemetry import Telemetry

__all__ = ["LOST", "Call", "Rescue", "State"]

State: TypeAlias = Literal[
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


class Call(NamedTuple):
    """What a rescue must know of the call that has ended."""

    began: float
    """Monotonic seconds. A script of the agent's that is older may be what it waited behind."""
    documents: int
    """How many had stood in the tab by then."""
    own_script: bool = False
    """It was to run a script, which is stopped with it."""


_IN_PLACE_MS = 35.0
"""How far past its deadline a call may wait for a page that stays where it is; longer where the
configuration says that the machine is slow (``hang_patience``)."""
_RENEWAL_MS = 450.0
"""The same for a page that is loaded again."""
LOST = ["what the page's scripts held in memory", "form data that was not submitted", "refs"]
"""What goes with a document."""
_TAKEN: tuple[State, ...] = ("freed", "quieted", "renewed", "replaced")


class Rescue:
    """One rescue of one tab, shared by all calls that wait for it."""

    def __init__(self, tab_id: str, telemetry: Telemetry, patience: float = 1.0) -> None:
        self.steps: list[str] = []
        """The rungs as they were taken, last one last."""
        self.state: State = "recovering"
        self.hint = (
            "The tab is being brought back: the next call on it waits for that. Take a snapshot."
        )
        self.lost: list[str] = []
        self.work: asyncio.Task[None]
        self.aside = ""
        """What else was done, however it ends."""
        self.unseen = False
        """Whether a call has gone before it was over."""
        self._renews = False
        self._in_place_ms = min(_IN_PLACE_MS * patience, _RENEWAL_MS)
        self._tab_id = tab_id
        self._telemetry = telemetry

    def did(self, step: str) -> None:
        """Write a rung down."""
        self.steps.append(step)
        self._telemetry.ladder_step(step.partition(":")[0], tab_id=self._tab_id)

    def ended(self, state: State, hint: str, lost: list[str] | None = None) -> None:
        """Say how it went."""
        self.state, self.lost = state, lost or []
        self.hint = f"{hint} {self.aside}".strip()

    def renews(self) -> None:
        """The page can't stay where it is: calls may wait for the tab to come back."""
        self._renews = True

    async def waited(self, deadline: float) -> None:
        """Wait for its end, as long past a call's deadline (monotonic seconds) as that may take.

        It goes on beside the calls then.
        """
        await asyncio.wait([self.work], timeout=_left_s(deadline, self._in_place_ms))
        if self._renews and not self.work.done():
            await asyncio.wait([self.work], timeout=_left_s(deadline, _RENEWAL_MS))
        self.unseen = self.unseen or not self.work.done()

    def recovery(self) -> str:
        """What the next call is told of a tab that came back when no call waited any more."""
        return f"The tab had hung. {self.hint}" if self.unseen and (self.lost or self.aside) else ""

    def relapse(self) -> str:
        """What a call is told whose page hung again, as it had before, and took something with it;
        it may have been no more than busy."""
        if self.state not in _TAKEN:
            return ""
        return f"The page hung once more, and was not waited for. {self.hint}"

    def report(self) -> dict[str, Any]:
        """``{steps, state}``, and ``lost`` where something was, for an error's data."""
        said: dict[str, Any] = {"steps": list(self.steps), "state": self.state}
        if not self.work.done():
            said["steps"].append("not over yet: recovery goes on in the background")
        if self.lost:
            said["lost"] = list(self.lost)
        return said


def _left_s(deadline: float, over_ms: float) -> float:
    return max(0.0, deadline + over_ms / 1000 - time.monotonic())
