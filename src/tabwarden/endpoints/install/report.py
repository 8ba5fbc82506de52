"""What an installation reports, while it runs and when it has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Probed


class Progress(Protocol):
    """Called during an installation, on the event loop's thread; must not block."""

    def __call__(self, step: str, done: int, total: int | None) -> None:
        """Report that ``step`` has done ``done`` of ``total`` bytes (or lines), if known."""
        ...


def silent(step: str, done: int, total: int | None) -> None:
    """Ignore the progress."""


Outcome = Literal["installed", "present", "failed", "skipped"]


class Try(msgspec.Struct, frozen=True):
    """The result of one method."""

    way: str
    outcome: Outcome
    reason: str = ""
    """Why the method failed or was skipped."""


class InstallReport(NamedTuple):
    """The methods tried, in order, and the browser that works."""

    tries: tuple[Try, ...]
    found: Probed

    @property
    def path(self) -> Path:
        """The path of the browser that works."""
        return self.found.path


class InstallFailed(Exception):
    """An install method failed; the message says why. The next method is tried."""


class InstallMethod(Protocol):
    """One method to install a browser on this system."""

    @property
    def name(self) -> str:
        """A name for the report."""
        ...

    def refusal(self) -> str | None:
        """Return why this method can't work on this system; None if it may work. Doesn't try it."""
        ...

    async def bring(self, folder: Path, progress: Progress, budget: Budget) -> tuple[Probed, bool]:
        """Install the browser (below ``folder``, if the method needs a folder) and start it once.

        Returns:
            The browser that works, and whether it was already installed.

        Raises:
            InstallFailed: the method failed; the message says why. All its files are removed.
        """
        ...
