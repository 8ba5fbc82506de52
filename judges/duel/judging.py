"""Computes the verdict of a bout from facts outside of the tool.

The facts are the page's reports to its server, the agent's reads, and the waiting time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from judges.duel.agent import Read

__all__ = ["Demand", "Result", "Verdict", "judge", "together"]

Result = str
"""``won``, ``stuck`` or ``wrong``."""
SAID = 110
"""How many characters of an answer the table quotes."""
_COLORS = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True)
class Demand:
    """The criteria for winning a bout."""

    told: str = ""
    """A pattern that an answer must match, so that the agent learns what happened."""
    answer: str = ""
    """The answer that the page must get from its dialog."""
    bought: str = ""
    """The only element that must be clicked. Without it, the agent must be able to continue."""


@dataclass(frozen=True)
class Verdict:
    result: Result
    why: str
    """For a loss: the first criterion that was not met."""
    seconds: float
    calls: int
    said: str = ""
    """The line that reported the problem, or else the first failure or the click."""

    @property
    def won(self) -> bool:
        return self.result == "won"

    @property
    def line(self) -> str:
        """The verdict as text."""
        if self.won:
            return f"won in {self.seconds:.1f} s"
        return f"{self.result} after {self.seconds:.1f} s: {self.why}"


def judge(demand: Demand, reads: Sequence[Read], heard: Sequence[str]) -> Verdict:
    """Judge one bout by its reads and the page's reports."""
    telling = [one for one in reads if demand.told and re.search(demand.told, one.text)]
    result, why = _wrong(demand, reads, heard) or _stuck(demand, heard) or ("won", "")
    if result == "won" and demand.told and not telling:
        alone = "it answered the dialog itself" if demand.answer else "it did not say what happened"
        result, why = "wrong", alone
    waited = sum(read.seconds for read in reads)
    return Verdict(result, why, waited, len(reads), _quote(demand.told, telling, reads))


def _wrong(
    demand: Demand, reads: Sequence[Read], heard: Sequence[str]
) -> tuple[Result, str] | None:
    answers, bought = _reported("answer/", heard), _reported("bought/", heard)
    if demand.answer and answers and answers != [demand.answer]:
        return "wrong", "it answered the dialog itself"
    if others := [one for one in bought if one != demand.bought]:
        return "wrong", f"it clicked {others[0]}"
    ok = [read for read in reads if read.call.startswith("click") and not read.failed]
    if demand.bought and len(ok) > len(bought):
        return "wrong", "it said ok and clicked nothing"
    return None


def _stuck(demand: Demand, heard: Sequence[str]) -> tuple[Result, str] | None:
    if demand.answer and not _reported("answer/", heard):
        return "stuck", "the dialog got no answer"
    if demand.bought:
        return None if _reported("bought/", heard) else ("stuck", "no click arrived")
    return None if any("went-on" in one for one in heard) else ("stuck", "nothing worked any more")


def _reported(what: str, heard: Sequence[str]) -> list[str]:
    return [one.partition(what)[2] for one in heard if what in one]


def _quote(told: str, telling: Sequence[Read], reads: Sequence[Read]) -> str:
    failed = [one for one in reads if one.failed]
    clicks = [] if told else [one for one in reversed(reads) if one.call.startswith("click")]
    chosen = next(iter([*telling, *failed, *clicks]), None)
    if chosen is None:
        return ""
    text = _COLORS.sub("", chosen.text)
    found = re.search(told, text) if telling else None
    text = text[text.rfind("\n", 0, found.start()) + 1 :] if found else text
    lines = (line.strip() for line in text.splitlines())
    line = next((line for line in lines if line and not line.startswith(("#", "`"))), "")
    if not line:
        return f"(no answer to {chosen.call!r} in {chosen.seconds:.0f} s)"
    return line if len(line) <= SAID else f"{line[:SAID]} ..."


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Combine the verdicts of several rounds: won if each round was won, with the median time."""
    lost = [one for one in verdicts if not one.won]
    counted = lost or list(verdicts)
    why = counted[0].why
    if lost and len(lost) < len(verdicts):
        why += f" ({len(lost)} of {len(verdicts)} rounds)"
    return Verdict(
        counted[0].result,
        why,
        median(one.seconds for one in counted),
        round(median(one.calls for one in counted)),
        counted[0].said,
    )
