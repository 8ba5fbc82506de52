"""The progress and the result of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Probed


class Progress(Protocol):
    """Called during an installation, on the event loop's thread; must not block."""

    def __call__(self, step: str, done: int, total: int | None) -> None:
        """Report that ``step`` has processed ``done`` bytes (or lines), of ``total`` if known."""
        ...


def silent(step: str, done: int, total: int | None) -> None:
    """Ignore the progress."""


Outcome = Literal["installed", "present", "failed", "skipped"]


class Try(msgspec.Struct, frozen=True):
    """The result of one install method."""

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
        return self.found.path


class InstallFailed(Exception):
    """An install method failed; the message says why. The installer then tries the next method."""


class InstallMethod(Protocol):
    """A way to install a browser on this system."""

    @property
    def name(self) -> str: ...

    def refusal(self) -> str | None:
        """Return the reason why this method can't work on this system; None if it may work."""
        ...

    async def bring(self, folder: Path, progress: Progress, budget: Budget) -> tuple[Probed, bool]:
        """Install the browser (below ``folder``, if the method needs a folder) and start it once.

        Returns:
            The browser that works, and whether it was already installed.

        Raises:
            InstallFailed: the method failed, and its files have been removed.
        """
        ...
