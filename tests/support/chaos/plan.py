"""The plan of a run: a pure function of its seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from support.chaos.deeds import DEEDS
from support.chaos.harms import HARMS

__all__ = ["Step", "plan"]


_COMMON = tuple(name for name, deed in DEEDS.items() if deed.weight)


@dataclass(frozen=True)
class Step:
    """One action and its fault."""

    number: int
    deed: str
    harm: str
    draw: float
    """The deed's random choice, from 0 to 1."""
    harm_args: dict[str, Any] = field(default_factory=dict)
    at_ms: float = 0.0
    """When the fault starts, from the action's start."""

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.harm_args.items())
        wrong = f"{self.harm}({told}) at {self.at_ms:.0f} ms"
        return f"#{self.number} {self.deed} [{self.draw:.2f}] x {wrong}"


def plan(seed: int, *, only: frozenset[str] = frozenset()) -> Iterator[Step]:
    """The steps, without end; each depends on the seed and its number alone.

    Args:
        seed: of the run.
        only: these kinds of harm; empty: all.
    """
    harms = [name for name in HARMS if not only or name in only]
    weights = [HARMS[name].weight for name in harms]
    number = 0
    while True:
        number += 1
        chance = random.Random(f"{seed}/{number}")
        harm = chance.choices(harms, weights)[0]
        deeds = HARMS[harm].deeds or _COMMON
        deed = chance.choices(deeds, [DEEDS[name].weight or 1 for name in deeds])[0]
        at_ms = chance.choice((0.0, 0.0, chance.uniform(0, 60), chance.uniform(0, 400)))
        if HARMS[harm].is_armed:  # the fault waits for its message
            at_ms = 0.0
        yield Step(
            number, deed, harm, chance.random(), HARMS[harm].draw(chance, DEEDS[deed]), at_ms
        )
