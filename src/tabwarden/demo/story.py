"""``tabwarden demo``: run the steps, print them, and summarize."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from tabwarden.demo.chapters import LAST, PERSON, STEPS
from tabwarden.demo.server import ShopServer
from tabwarden.demo.stage import Stage, Step
from tabwarden.demo.surprise import Surprise
from tabwarden.demo.telling import Outcome, Teller
from tabwarden.errors import InvalidArgument, TabwardenError

WATCHED_S = 2.0
"""How long the agent pauses after each step if a person watches."""


def run_demo(
    *,
    headed: bool,
    keep: bool,
    output: Path,
    steps: Sequence[Step] = STEPS,
    teller: Teller | None = None,
    prepare: Callable[[], None] = lambda: None,
    watched: Callable[[Stage], AbstractAsyncContextManager[None]] | None = None,
) -> int:
    """Run the scripted agent through the shop.

    Args:
        headed: show a window.
        keep: at the end, keep the browser and the shop open until Enter or Ctrl-C.
        output: the folder for pictures. It is created if it is missing.
        steps: the agent's steps.
        teller: prints the story; by default to the terminal.
        prepare: called before the first step, if ``output`` is usable. It may install a browser.
        watched: ``async with watched(stage)`` shows the browser to people during the story. The
            agent then pauses after each step, and finally asks a person for help.

    Returns:
        0 if every step succeeded, else 1.

    Raises:
        InvalidArgument: ``output`` can't be created.
    """
    teller = teller or Teller()
    _make(output)
    prepare()
    with ShopServer() as shop, asyncio.Runner() as runner:
        stage = Stage(shop, teller, output, headed)
        _introduce(stage)
        try:
            if watched is not None:
                outcomes = runner.run(_play_watched([*steps, PERSON], stage, watched))
            else:
                outcomes = runner.run(play(steps, stage))
            if keep and stage.opened is not None:
                _wait_for_enter(stage)
            done = [outcome.name for outcome in outcomes if outcome.status == "done"]
            outcomes += runner.run(play([LAST], stage, done=done, number=len(outcomes) + 1))
        finally:
            runner.run(stage.close())
    teller.summary(outcomes, stage.pictures)
    return 0 if all(outcome.status == "done" for outcome in outcomes) else 1


async def _play_watched(
    steps: Sequence[Step],
    stage: Stage,
    watched: Callable[[Stage], AbstractAsyncContextManager[None]],
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    async with watched(stage):
        for number, step in enumerate(steps, 1):
            done = [one.name for one in outcomes if one.status == "done"]
            outcomes += await play([step], stage, done=done, number=number)
            await asyncio.sleep(WATCHED_S)
    return outcomes


async def play(
    steps: Sequence[Step], stage: Stage, *, done: Collection[str] = (), number: int = 1
) -> list[Outcome]:
    """Run steps in order. Skip a step if another step that it needs did not succeed.

    ``done`` contains the names of steps that have already succeeded. ``number`` is the number that
    is printed with the first step.
    """
    went_well = set(done)
    outcomes = []
    for place, step in enumerate(steps, number):
        outcome = await _play_one(place, step, stage, went_well)
        if outcome.status == "done":
            went_well.add(step.name)
        outcomes.append(outcome)
    return outcomes


async def _play_one(number: int, step: Step, stage: Stage, went_well: set[str]) -> Outcome:
    stage.titles[step.name] = step.title
    stage.teller.step(number, step.title)
    missing = [stage.titles.get(name, name) for name in step.needs if name not in went_well]
    if missing:
        stage.teller.skipped(missing)
        return Outcome(step.name, step.title, "skipped")
    stage.teller.aside(step.about)
    started = time.perf_counter()
    try:
        await step.run(stage)
    except (TabwardenError, Surprise) as error:
        stage.teller.failed(error)
        await stage.tidy()
        return Outcome(step.name, step.title, "failed", _ms_since(started))
    return Outcome(step.name, step.title, "done", _ms_since(started))


def _introduce(stage: Stage) -> None:
    stage.teller.say("Tabwarden: a scripted agent in a small shop", "bold")
    stage.teller.aside(
        f"This program serves the shop at {stage.shop.shop} and its payment service at "
        f"{stage.shop.payments}. Browsers treat the two as different sites. The agent gets the "
        "text after a bar: lines of snapshots, and results without their empty fields."
    )


def _wait_for_enter(stage: Stage) -> None:
    """Wait for the Enter key. Supervision continues, because it has its own thread."""
    stage.teller.say(f"\nThe browser and {stage.shop.shop} stay open. Press Enter to quit.", "bold")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        input()


def _make(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(
            f"The folder {str(output)!r} can't be created: {error.strerror}.",
            "Specify another folder with --output.",
            field="output",
        ) from None


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
