"""The report: a table per tool for the terminal, and a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from judges.miniwob.reasons import REASONS
from judges.miniwob.run import Played

__all__ = ["Totals", "markdown", "terminal", "totals"]

MARK = "<!-- miniwob: python -m judges.miniwob writes from here -->"
SOLVED, BY_POINTS, FAILED = "yes", "points", "no"


@dataclass(frozen=True)
class Totals:
    """One tool's results."""

    tool: str
    tasks: int
    by_text: int
    """Number of tasks that it solved with every seed by text alone."""
    solved: int
    """Number of tasks that it solved with every seed, also with coordinates."""
    calls: float
    characters: float
    seconds: float
    wrong: int
    seeds: str
    """Episodes per task, such as ``5``, or ``1-5`` if tasks differ."""


def totals(tool: str, played: Iterable[Played], common: set[str] | None = None) -> Totals:
    """Summarize a tool's episodes.

    Args:
        tool: its name.
        played: the episodes of all tools.
        common: the tasks whose solved episodes count for the means; by default those it solved.
    """
    tasks = _by_task(one for one in played if one.tool == tool)
    states = {task: _state(episodes) for task, episodes in tasks.items()}
    solved = {task for task, state in states.items() if state != FAILED}
    counted = [
        one
        for task in (solved if common is None else common)
        for one in tasks.get(task, ())
        if one.solved
    ]
    return Totals(
        tool, len(tasks), sum(state == SOLVED for state in states.values()), len(solved),
        _mean([one.calls for one in counted]), _mean([one.characters for one in counted]),
        _mean([one.seconds for one in counted]),
        sum(one.wrong for episodes in tasks.values() for one in episodes),
        _range({len(episodes) for episodes in tasks.values()}),
    )  # fmt: skip


def _range(counts: set[int]) -> str:
    return "-".join(map(str, sorted({min(counts, default=0), max(counts, default=0)})))


def common_tasks(played: Sequence[Played], tools: Sequence[str]) -> set[str]:
    """Return the tasks that every tool solved with every seed."""
    each = []
    for tool in tools:
        tasks = _by_task(one for one in played if one.tool == tool)
        each.append({task for task, episodes in tasks.items() if _state(episodes) != FAILED})
    return set.intersection(*each) if each else set()


def terminal(played: Sequence[Played], tools: Sequence[str]) -> str:
    common = common_tasks(played, tools)
    lines = [_row(_HEADS), "-" * 113]
    for tool in tools:
        own, shared = totals(tool, played), totals(tool, played, common)
        lines.append(_row(_cells(own, shared)))
    lines.append(f"means per solved episode of the {len(common)} tasks that all of them solved")
    return "\n".join(lines)


_COLUMNS = (
    "tool", "seeds", "by text", "with coordinates", "calls", "characters", "seconds",
    "wrong element",
)  # fmt: skip
_HEADS = (
    "tool", "seeds", "by text", "with points", "calls", "characters", "seconds", "wrong element"
)  # fmt: skip


def _cells(own: Totals, shared: Totals) -> tuple[str, ...]:
    return (
        own.tool, own.seeds, f"{own.by_text} of {own.tasks}", str(own.solved),
        f"{shared.calls:.1f}",
        f"{shared.characters:.0f}", f"{shared.seconds:.2f}", str(own.wrong),
    )  # fmt: skip


def _row(cells: Sequence[str]) -> str:
    return f"{cells[0]:<22}" + "".join(f"{cell:>13}" for cell in cells[1:])


def markdown(
    page: str, played: Sequence[Played], tools: Sequence[str], seeds: Sequence[int], versions: str
) -> str:
    """Put the results into a page, after its mark."""
    common = common_tasks(played, tools)
    lines = [
        MARK, "", *(line for one in sorted({one.origin for one in played}) for line in (one, "")),
        f"Seeds {', '.join(map(str, seeds))}; {versions}.", "",
        f"| {' | '.join(_COLUMNS)} |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for tool in tools:
        cells = _cells(totals(tool, played), totals(tool, played, common))
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        f"Calls, characters and seconds are means per solved episode of the {len(common)} tasks "
        "that all of these tools solved. Fewer seeds are easier to solve all of.",
        "", "## Each task", "", f"| task | {' | '.join(tools)} |", "|---" * (len(tools) + 1) + "|",
    ]  # fmt: skip
    by_tool = {tool: _by_task(one for one in played if one.tool == tool) for tool in tools}
    names = sorted({one.task for one in played})
    for task in names:
        cells = [_task_cell(by_tool[tool].get(task, [])) for tool in tools]
        lines.append(f"| {task} | {' | '.join(cells)} |")
    lines += _unsolved(tools, by_tool) + _by_points(by_tool[tools[0]])
    return page.partition(MARK)[0] + "\n".join(lines) + "\n"


def _unsolved(tools: Sequence[str], by_tool: dict[str, dict[str, list[Played]]]) -> list[str]:
    """Return the tasks that the first tool does not solve, with rewards, reasons, and the tools
    that solve them."""
    own = by_tool[tools[0]]
    lines = [
        "", f"## What {tools[0]} does not solve", "",
        "| task | solved | mean reward | why | who does |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for task, episodes in sorted(own.items()):
        if _state(episodes) != FAILED:
            continue
        failed = [one for one in episodes if not one.solved]
        others = [
            tool for tool in tools[1:]
            if len(theirs := by_tool[tool].get(task, [])) >= len(episodes)
            and _state(theirs) != FAILED
        ]  # fmt: skip
        solved = f"{len(episodes) - len(failed)} of {len(episodes)}"
        reward = f"{_mean([one.reward or 0.0 for one in episodes]):.2f}"
        why = REASONS.get(task) or _plain(failed[0].why)
        lines.append(f"| {task} | {solved} | {reward} | {why} | {', '.join(others) or 'nobody'} |")
    return lines


def _by_points(own: dict[str, list[Played]]) -> list[str]:
    """Return the tasks that it solves only with coordinates, with reasons."""
    lines = ["", "## What needs coordinates", "", "| task | why |", "|---|---|"]
    for task, episodes in sorted(own.items()):
        if _state(episodes) == BY_POINTS:
            lines.append(f"| {task} | {REASONS.get(task, '')} |")
    return lines


def _plain(why: str) -> str:
    return why.replace("|", "\\|").replace("<", "&lt;")[:160]


def _task_cell(episodes: Sequence[Played]) -> str:
    """Return ``yes``, ``points`` (yes, with coordinates), or the number of solved seeds."""
    if not episodes:
        return ""
    state = _state(episodes)
    if state == FAILED:
        return f"{sum(one.solved for one in episodes)} of {len(episodes)}"
    return state


def _state(episodes: Sequence[Played]) -> str:
    if not all(one.solved for one in episodes):
        return FAILED
    return BY_POINTS if any(one.points for one in episodes) else SOLVED


def _by_task(played: Iterable[Played]) -> dict[str, list[Played]]:
    tasks: dict[str, list[Played]] = {}
    for one in played:
        tasks.setdefault(one.task, []).append(one)
    return tasks


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
