"""The report of a run: each kind of fault with its counts and recovery times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from support.chaos.run import Outcome

__all__ = ["as_json", "as_text", "percentile"]

_RANKS = (50, 90, 99, 100)


def percentile(values: Sequence[float], rank: float) -> float:
    """The given percentile of the values; 0 if there are none."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * int(rank) // 100) - 1)] if ordered else 0.0


def as_json(seed: int, outcomes: list[Outcome], seconds: float) -> dict[str, Any]:
    """All figures, and all violations."""
    kinds: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        kinds.setdefault(outcome.step.harm, []).append(outcome)
    return {
        "seed": seed,
        "faults": sum(one.befell and one.step.harm != "none" for one in outcomes),
        "steps": len(outcomes),
        "seconds": round(seconds, 1),
        "broken": [
            {"step": str(one.step), "number": one.step.number, "ended": one.ended,
             "words": one.words, "broken": one.broken}
            for one in outcomes if one.broken
        ],
        "over_ms": _ranks([one.over_ms for one in outcomes]),
        "stalled_ms": _ranks([one.stalled_ms for one in outcomes]),
        "kinds": {
            kind: {
                "count": len(them),
                "befell": sum(one.befell for one in them),
                "broken": sum(bool(one.broken) for one in them),
                "ended": dict(Counter(one.ended for one in them).most_common()),
                "recovery_ms": _ranks([one.recovery_ms for one in them]),
            }
            for kind, them in sorted(kinds.items())
        },
    }  # fmt: skip


def as_text(report: dict[str, Any]) -> str:
    """The report as text for people."""
    lines = [
        f"{'kind':<20}{'count':>6}{'befell':>7}{'broken':>7}"
        "   recovery ms: p50    p90    p99    max   ended"
    ]
    for kind, of in report["kinds"].items():
        ranks = "".join(f"{of['recovery_ms'][f'p{rank}']:>7.0f}" for rank in _RANKS)
        ended = ", ".join(f"{count} {how}" for how, count in of["ended"].items())
        lines.append(
            f"{kind:<20}{of['count']:>6}{of['befell']:>7}{of['broken']:>7}            {ranks}"
            f"   {ended}"
        )
    over = report["over_ms"]
    lines.append("")
    lines.append(
        f"{report['faults']} faults in {report['steps']} steps, {report['seconds']:g} s; "
        f"seed {report['seed']}; the worst call of a step ended {over['p50']:.0f} ms "
        f"(median), {over['p99']:.0f} ms (p99), "
        f"{over['p100']:.0f} ms (worst) after its budget, of which the machine stood still "
        f"for up to {report['stalled_ms']['p100']:.0f} ms."
    )
    lines += [
        f"BROKEN {one['step']}: ended {one['ended']} {one['words'][:200]}\n       "
        + "\n       ".join(one["broken"])
        for one in report["broken"]
    ]
    lines.append(f"{len(report['broken'])} steps broke a promise.")
    return "\n".join(lines)


def _ranks(values: list[float]) -> dict[str, float]:
    return {f"p{rank}": round(percentile(values, rank), 1) for rank in _RANKS}
