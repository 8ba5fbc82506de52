"""The report of a run: one row for each kind of fault."""

from __future__ import annotations

from statistics import median
from typing import Any

import msgspec

from support.fleet_chaos.faults import KEEP_BROWSERS
from support.fleet_chaos.rounds import Round

TOLD_WITHIN_S = 4.0
_HEAD = (
    "| fault | times | browsers lost | told p50 | told p95 | within 4 s | double owners "
    "| late calls | stuck | browsers left |\n|---|---|---|---|---|---|---|---|---|---|"
)


def as_json(seed: int, rounds: list[Round], calls: int, left: int | None) -> dict[str, Any]:
    """Return the summary of a run. ``left``: the browsers after the fleet stopped."""
    kinds = {one.kind: None for one in rounds}
    return {
        "seed": seed,
        "calls": calls,
        "browsers_left": left,
        "kinds": [_kind(kind, [one for one in rounds if one.kind == kind]) for kind in kinds],
        "broken": [msgspec.to_builtins(one) for one in rounds if is_broken(one)],
        "rounds": msgspec.to_builtins(rounds),
    }


def is_broken(one: Round) -> bool:
    is_lost = one.kind in KEEP_BROWSERS and (one.told_s or one.others)
    return bool(one.stuck or one.late or one.double_owners or one.orphans or is_lost)


def as_text(report: dict[str, Any]) -> str:
    """Return the report as Markdown."""
    rows = [_HEAD]
    for kind in report["kinds"]:
        cells = (
            kind["kind"], kind["times"], kind["lost"], _s(kind["p50_s"]), _s(kind["p95_s"]),
            f"{kind['in_time']} of {kind['lost']}", kind["double_owners"], kind["late"],
            kind["stuck"], kind["orphans"],
        )  # fmt: skip
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    rows.append(
        f"\n{report['calls']} calls. {report['browsers_left']} browsers were left after the fleet "
        f"stopped. Seed {report['seed']}."
    )
    return "\n".join(rows)


def _kind(kind: str, rounds: list[Round]) -> dict[str, Any]:
    told = sorted(after for one in rounds for after in one.told_s)
    return {
        "kind": kind,
        "times": len(rounds),
        "hit": sum(one.hit for one in rounds),
        "lost": len(told),
        "others_lost": sum(one.others for one in rounds),
        "p50_s": median(told) if told else None,
        "p95_s": told[min(len(told) - 1, int(len(told) * 0.95))] if told else None,
        "in_time": sum(after <= TOLD_WITHIN_S for after in told),
        "double_owners": sum(len(one.double_owners) for one in rounds),
        "late": sum(len(one.late) for one in rounds),
        "stuck": sum(len(one.stuck) for one in rounds),
        "orphans": sum(one.orphans for one in rounds),
        "load": max(one.load for one in rounds),
    }


def _s(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.1f} s"
