"""What an installation tells: while it runs, and at its end."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.probe import Found

__all__ = ["InstallReport", "Outcome", "Progress", "Try", "Way", "WayFailed", "silent"]


class Progress(Protocol):
    """Called as an installation goes on, on the event loop's thread; must not block."""

    def __call__(self, step: str, done: int, total: int | None) -> None:
        """``step`` names what is done; ``done`` of ``total`` bytes (or lines), if known."""
        ...


def silent(step: str, done: int, total: int | None) -> None:
    """The progress of who does not want to know."""


Outcome = Literal["installed", "present", "failed", "skipped"]


class Try(msgspec.Struct, frozen=True):
    """How one way went."""

    way: str
    outcome: Outcome
    reason: str = ""
    """Why it failed or was skipped."""


class InstallReport(NamedTuple):
    """What was tried, in order, and the browser that works."""

    tries: tuple[Try, ...]
    found: Found

    @property
    def path(self) -> Path:
        """The executable that works."""
        return self.found.path


class WayFailed(Exception):
    """This way does not work here; the words say why. The next one is tried."""


class Way(Protocol):
    """One way to bring a browser onto this system."""

    @property
    def name(self) -> str:
        """For the report."""
        ...

    def refusal(self) -> str | None:
        """Why this way is none on this system, without trying it; None: it may be one."""
        ...

    async def bring(self, folder: Path, progress: Progress, budget: Budget) -> tuple[Found, bool]:
        """Bring the browser (below ``folder``, if it needs a place) and start it once.

        Returns:
            The browser that works, and whether it was there already.

        Raises:
            WayFailed: it did not work, with the reason. Nothing is left.
        """
        ...
