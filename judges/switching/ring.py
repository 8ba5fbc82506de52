"""Runs the trials with newly started tools, and then stops all processes."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from support.site import Site

from bench.leftovers import MARK, end_leftovers
from bench.rivals.installed import Installed
from judges.switching.stage import AGENT_BROWSER, DEVTOOLS, OWN, PLAYWRIGHT, Stage
from judges.switching.trial import Outcome, Trial

__all__ = ["TOOLS", "Found", "run"]

TOOLS = (OWN, PLAYWRIGHT, DEVTOOLS, AGENT_BROWSER)
TRIAL_S = 90.0
"""Time limit for one tool's trial, including its start and end."""
AT_ONCE = 2
"""Number of parallel trials, because trials mostly wait."""

Found = dict[tuple[str, str], Outcome]
"""The outcomes by trial and tool."""


async def run(
    trials: Sequence[Trial],
    tools: Sequence[str],
    browser: str,
    installed: Installed,
    tell: Callable[[Trial, str, Outcome, Stage | None], None],
    at_once: int = AT_ONCE,
) -> Found:
    """Return the outcome of every trial with every tool, including tools that fail to start."""
    found: Found = {}
    free = asyncio.Semaphore(at_once)

    async def one(trial: Trial, tool: str) -> None:
        if tool not in trial.ways:
            lacks = trial.lacking.get(tool, "it does not have it")
            found[trial.name, tool] = Outcome(False, lacks, offered=False)
            return
        async with free:
            outcome, stage = await attempt(trial, tool, browser, installed)
        found[trial.name, tool] = outcome
        tell(trial, tool, outcome, stage)

    async with asyncio.TaskGroup() as tasks:
        for trial in trials:
            for tool in tools:
                tasks.create_task(one(trial, tool))
    return found


async def attempt(
    trial: Trial, tool: str, browser: str, installed: Installed
) -> tuple[Outcome, Stage]:
    """Run one trial with one tool."""
    mark = uuid.uuid4().hex
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        Site() as site,
    ):
        env = {**os.environ, MARK: mark}
        stage = Stage(site, Path(folder), browser, installed, env)
        trial.serve(stage)
        failed = ""
        try:
            async with asyncio.timeout(TRIAL_S):
                await trial.ways[tool](stage)
        except TimeoutError:
            failed = f"not over in {TRIAL_S:g} s"
        except BaseExceptionGroup as group:
            failed = _words(group)
        except Exception as error:
            failed = _words(error)
        finally:
            end_leftovers(mark)
        facts = trial.judge(stage)
        missing = [words for words, is_so in facts.items() if not is_so]
        # A failed end of a tool whose work is done is not held against it.
        why = "; ".join(f"failed check: {words}" for words in missing[:4])
        if missing and (failed or any(user.failed for user in stage.users)):
            said = failed or next(user.failed[0] for user in stage.users if user.failed)
            why += f" (it said: {' '.join(said.split())[:90]})"
        return (
            Outcome(
                done=not missing,
                missing=why,
                calls=sum(user.calls for user in stage.users),
                read=sum(user.read for user in stage.users),
                definitions=max((user.definitions for user in stage.users), default=0),
                seconds=time.monotonic() - began,
            ),
            stage,
        )


def _words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
