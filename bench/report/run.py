"""One run: its command, its machine, and each bench's results."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bench.bench import Found, found_of
from bench.rows import Verdict

__all__ = ["Run"]


@dataclass
class Run:
    """The data for a report."""

    made_at: str
    command: str
    machine: dict[str, str]
    versions: dict[str, str]
    skipped: dict[str, str] = field(default_factory=dict)
    """The tools that could not be measured, with the reasons."""
    benches: list[Found] = field(default_factory=list)

    @property
    def verdicts(self) -> list[Verdict]:
        return [verdict for found in self.benches for verdict in found.verdicts]

    @property
    def missed(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.reached is False]

    @property
    def failed(self) -> list[Found]:
        return [found for found in self.benches if found.failed]

    @property
    def commit(self) -> str:
        """The measured commit, and whether the source differed from it."""
        return self.versions.get("tabwarden", "").partition("(")[2].rstrip(")")

    def to_json(self) -> dict[str, Any]:
        return {
            "made_at": self.made_at,
            "command": self.command,
            "machine": self.machine,
            "versions": self.versions,
            "skipped": self.skipped,
            "benches": [found.to_json() for found in self.benches],
        }

    @classmethod
    def of_json(cls, told: dict[str, Any]) -> Run:
        """Create a run from its JSON. Verdicts are computed again from the numbers."""
        return cls(**{**told, "benches": [found_of(one) for one in told["benches"]]})

    @staticmethod
    def now() -> str:
        return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
