"""The verdict of a bout, from facts outside of the tool.

The facts: what the page reported to its server, what the agent read, and how long it waited.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.duel.agent import Read

__all__ = ["Demand", "Verdict", "judge", "together"]


@dataclass(frozen=True)
class Demand:
    """What a bout is won by."""

    told: str = ""
    """A pattern: some answer must have it, so that the agent learns what happened."""
    answer: str = ""
    """What the page must get from its dialog."""
    bought: str = ""
    """The one thing that must be clicked; without it, the agent must be able to go on."""


@dataclass(frozen=True)
class Verdict:
    won: bool
    why: str
    """Of a loss: the first demand that was not met."""
    seconds: float
    calls: int


def judge(demand: Demand, reads: Sequence[Read], heard: Sequence[str], *, in_time: bool) -> Verdict:
    """Judge one bout by its reads and by what the page reported."""
    why = _why(demand, reads, heard)
    if why and not in_time:
        why += ", time is up"
    return Verdict(not why, why, sum(read.seconds for read in reads), len(reads))


def _why(demand: Demand, reads: Sequence[Read], heard: Sequence[str]) -> str:
    answers = [one.partition("answer/")[2] for one in heard if "answer/" in one]
    bought = [one.partition("bought/")[2] for one in heard if "bought/" in one]
    clicks = [read for read in reads if read.call.startswith("click")]
    if demand.told and not any(re.search(demand.told, read.text) for read in reads):
        return "agent not told"
    if demand.answer and not answers:
        return "page got no answer"
    if demand.answer and answers != [demand.answer]:
        return "answered without the agent"
    if not demand.bought:
        return "" if any("went-on" in one for one in heard) else "could not go on"
    if any(one != demand.bought for one in bought):
        return f"clicked {', '.join(bought)}"
    if sum(not click.failed for click in clicks) > len(bought):
        return "said ok, clicked nothing"
    return "" if bought else "no click arrived"


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict of some rounds: won if each was, and the median of the seconds."""
    lost = [one for one in verdicts if not one.won]
    why = lost[0].why if lost else ""
    if lost and len(lost) < len(verdicts):
        why += f" ({len(lost)} of {len(verdicts)})"
    counted = lost or verdicts
    return Verdict(
        not lost,
        why,
        median(one.seconds for one in counted),
        round(median(one.calls for one in counted)),
    )
