"""The results of all bouts, for the table and the image."""

from __future__ import annotations

from dataclasses import dataclass

from judges.duel.agent import BOUT_S
from judges.duel.judging import Verdict

__all__ = ["Card"]

TOOLS = {
    "tabwarden": "Tabwarden",
    "playwright-mcp": "Playwright MCP",
    "chrome-devtools-mcp": "chrome-devtools-mcp",
    "agent-browser": "agent-browser",
    "browser-use": "browser-use",
}
"""The tools' own names."""


@dataclass(frozen=True)
class Card:
    tools: tuple[str, ...]
    bouts: tuple[str, ...]
    verdicts: dict[tuple[str, str], Verdict]
    absent: dict[str, str]
    """Why a tool could not be started."""
    versions: dict[str, str]
    date: str
    rounds: int = 1

    title = "Six pages that stop agents"

    @property
    def ranking(self) -> list[str]:
        """Return the tools by wins, and among equals by waiting time."""
        return sorted(self.tools, key=lambda tool: (-self.wins(tool), self.waited(tool)))

    def wins(self, tool: str) -> int:
        return sum(verdict.won for (who, _), verdict in self.verdicts.items() if who == tool)

    def waited(self, tool: str) -> float:
        own = [verdict.seconds for (who, _), verdict in self.verdicts.items() if who == tool]
        return sum(own) if own else float("inf")

    def score(self, tool: str) -> str:
        """Return a tool's score as text, such as ``4 of 5``."""
        return f"{self.wins(tool)} of {len(self.bouts)}"

    def name(self, tool: str) -> str:
        return TOOLS[tool]

    def version(self, tool: str) -> str:
        return self.versions.get(tool, "").split(" ")[0]

    @property
    def browser(self) -> str:
        return self.versions.get("browser", "?").split(" ")[0]

    @property
    def caption(self) -> str:
        return (
            f"A tool wins a page if it says what happened, does only what the agent asked, and "
            f"the agent can go on within {BOUT_S:g} s of waiting. "
            f"Chromium {self.browser}, {self.date}."
        )
