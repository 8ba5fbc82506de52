"""Formats the results as Markdown and as JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.page import origin, put
from judges.fifty.ring import Result
from judges.fifty.tools import NAMES

__all__ = ["FROM", "Report", "as_json", "markdown", "put_into"]

_QUIET = 0.1
"""The share of the processors that other programs may use before the report mentions it. The
kernel's work for a tool counts as theirs."""

FROM = "<!-- python -m judges.fifty writes from here -->"


@dataclass(frozen=True)
class Report:
    """The results of a whole run."""

    date: str
    agents: int
    minutes: float
    machine: Mapping[str, str]
    versions: Mapping[str, str]
    results: list[Result]
    absent: dict[str, str]
    """Why a tool was not measured."""


def markdown(report: Report) -> str:
    """Return a row for each tool, and the tools' failures."""
    lines = [
        f"{report.agents} agents for {report.minutes:g} minutes. "
        f"Chromium {report.versions.get('browser', '?')}.",
        "",
        "| | memory per agent | most at once | processor per agent and minute | all open after | "
        "calls/s | p50 | p95 | rounds | failures |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *map(_row, report.results, [report] * len(report.results)),
        *(
            f"| {NAMES[tool]} | not measured: {why.replace('|', '/')} |{' |' * 8}"
            for tool, why in report.absent.items()
        ),
        "",
    ]
    for result in report.results:
        for kind, times in sorted(result.log.failures.items(), key=lambda one: -one[1]):
            lines.append(f"- {NAMES[result.tool]}, {times} times: `{kind.replace('`', chr(39))}`")
        if result.others_processors > _QUIET * (os.cpu_count() or 1):
            lines.append(
                f"- While {NAMES[result.tool]} was measured, other programs and the kernel kept "
                f"{result.others_processors:.1f} processors busy: its times are too long."
            )
        if result.left:
            lines.append(f"- {NAMES[result.tool]} left {result.left} processes behind.")
    return "\n".join(lines).rstrip() + "\n"


def _row(result: Result, report: Report) -> str:
    took = result.log.took_ms
    short = "" if result.agents == report.agents else f" ({result.agents} agents)"
    cells = [
        f"{NAMES[result.tool]} {report.versions.get(result.tool, '').split(' ')[0]}{short}",
        f"{result.mb_per_agent:.0f} MB",
        f"{max(result.memory_mb, default=0) / 1024:.1f} GB",
        f"{result.cpu_s_per_agent_minute:.2f} s",
        f"{result.open_s:.0f} s",
        f"{len(took) / result.worked_s:.1f}",
        f"{median(took):.0f} ms" if took else "-",
        f"{quantiles(took, n=20)[-1]:.0f} ms" if len(took) > 1 else "-",
        str(result.log.rounds),
        str(sum(result.log.failures.values())),
    ]
    return f"| {' | '.join(cells)} |"


def as_json(report: Report) -> dict[str, Any]:
    """Return all numbers, without the calls' times."""
    return {
        "date": report.date,
        "agents": report.agents,
        "minutes": report.minutes,
        "machine": dict(report.machine),
        "versions": dict(report.versions),
        "absent": dict(report.absent),
        "tools": {
            one.tool: {
                "agents": one.agents,
                "open_s": one.open_s,
                "worked_s": one.worked_s,
                "cpu_s": one.cpu_s,
                "cpu_s_per_agent_minute": one.cpu_s_per_agent_minute,
                "others_processors": one.others_processors,
                "memory_mb": one.memory_mb,
                "mb_per_agent": one.mb_per_agent,
                "calls": len(one.log.took_ms),
                "p50_ms": median(one.log.took_ms) if one.log.took_ms else None,
                "p95_ms": quantiles(one.log.took_ms, n=20)[-1] if one.log.took_ms[1:] else None,
                "rounds": one.log.rounds,
                "failures": one.log.failures,
                "left": one.left,
            }
            for one in report.results
        },
    }


def put_into(page: Path, report: Report) -> None:
    """Write the end of a page. Raises the same errors as ``put``."""
    put(page, FROM, markdown(report), said=origin(day=report.date, on=report.machine))
