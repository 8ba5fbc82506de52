"""``tabwarden demo``: run the steps, tell them, say how it went."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from tabwarden.demo.chapters import LAST, STEPS
from tabwarden.demo.server import ShopServer
from tabwarden.demo.stage import Stage, Step
from tabwarden.demo.surprise import Surprise
from tabwarden.demo.telling import Outcome, Teller
from tabwarden.errors import InvalidArgument, TabwardenError

__all__ = ["play", "run_demo"]


def run_demo(
    *,
    headed: bool,
    keep: bool,
    output: Path,
    steps: Sequence[Step] = STEPS,
    teller: Teller | None = None,
) -> int:
    """Run the scripted agent through the shop.

    Args:
        headed: with a window.
        keep: leave browser and shop open at the end, until Enter or Ctrl-C.
        output: the folder for the pictures; made if it isn't there.
        steps: what the agent does.
        teller: prints; to the terminal by default.

    Returns:
        0 if every step went well, else 1.

    Raises:
        InvalidArgument: ``output`` can't be made.
    """
    teller = teller or Teller()
    _make(output)
    with ShopServer() as shop, asyncio.Runner() as runner:
        stage = Stage(shop, teller, output, headed)
        _introduce(stage)
        try:
            outcomes = runner.run(play(steps, stage))
            if keep and stage.opened is not None:
                _wait_for_enter(stage)
            done = [outcome.name for outcome in outcomes if outcome.status == "done"]
            outcomes += runner.run(play([LAST], stage, done=done, number=len(steps) + 1))
        finally:
            runner.run(stage.close())
    teller.summary(outcomes, stage.pictures)
    return 0 if all(outcome.status == "done" for outcome in outcomes) else 1


async def play(
    steps: Sequence[Step], stage: Stage, *, done: Collection[str] = (), number: int = 1
) -> list[Outcome]:
    """Run steps in their order; one that needs a step that did not go well is skipped.

    Args:
        steps: what to run.
        stage: handed to each.
        done: steps that went well before.
        number: what the first one is called.
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
        f"The shop is served from here, at {stage.shop.shop}, and its payment service at "
        f"{stage.shop.payments}, which is another site to a browser. Behind a bar stands what the "
        "agent gets: lines of snapshots, and results without their empty fields. Their hints name "
        "the MCP tools: browser_dialog is what this script calls as browser.dialog()."
    )


def _wait_for_enter(stage: Stage) -> None:
    """The browser stays supervised meanwhile: it has a thread of its own."""
    stage.teller.say(f"\nThe browser and {stage.shop.shop} stay open. Press Enter to end.", "bold")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        input()


def _make(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(
            f"The folder {str(output)!r} can't be made: {error.strerror}.",
            "Name another one with --output.",
            field="output",
        ) from None


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
