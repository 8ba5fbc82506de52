"""The six bouts: each has a page, the agent's actions, and the criteria for winning."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from judges.duel.agent import TRIES, Agent
from judges.duel.judging import Demand

__all__ = ["BOUTS", "PAGES", "Bout", "Stage"]

PAGES = Path(__file__).with_name("pages")
HANGS = r"(?i)\bhung|\bhang|\bbusy|\btimed?[ -]?out|\bstuck|\brespond|\bwedged"
CRASHED = r"(?i)crash|\b(killed|gone|died|closed|terminated|detached)\b"
UNSEEN = r"(?i)passkey|credential|\bcovers?\b|did not receive"
"""A tool must say one of these words. No page and no URL contains them."""


@dataclass(frozen=True)
class Stage:
    """The environment of a bout."""

    site: str
    """The base URL of the pages."""
    kill_renderers: Callable[[], int]
    """Kills the processes of the tool's pages, as a system with too little memory does."""


@dataclass(frozen=True)
class Bout:
    name: str
    demand: Demand
    fight: Callable[[Agent, Stage], Awaitable[None]]


async def timer(agent: Agent, stage: Stage) -> None:
    await agent.begin(f"{stage.site}/timer.html", "Go on")
    await asyncio.sleep(3)  # a model's pause, in which the dialog opens
    await agent.look_for("Delete 3 files?")
    await agent.accept()
    await agent.press_until("Go on", "went-on")


async def loop(agent: Agent, stage: Stage) -> None:
    await agent.begin(f"{stage.site}/loop.html", "Count")
    await agent.press("Count")
    await _save(agent, f"{stage.site}/loop.html")


async def popup(agent: Agent, stage: Stage) -> None:
    question = "Pay 5 euros?"
    await agent.begin(f"{stage.site}/opener.html", "Pay")
    await agent.press("Pay")
    if not agent.knows(question):
        await agent.look()
    if agent.knows(question):
        await agent.accept()
    if not await agent.hears("answer/"):
        await agent.switch_to("/popup.html")
        if not agent.knows(question):
            await agent.look()
        await agent.accept()
    await agent.switch_to("/opener.html")
    await agent.press_until("Go on", "went-on")


async def killed(agent: Agent, stage: Stage) -> None:
    url = f"{stage.site}/note.html"
    await agent.begin(url, "Save")
    if not stage.kill_renderers():
        raise RuntimeError("no process of a page was found")
    await asyncio.sleep(1)  # a model's pause
    await _save(agent, url)


async def redrawn(agent: Agent, stage: Stage) -> None:
    await agent.begin(f"{stage.site}/redrawn.html", "Buy tea")
    await agent.press_until("Buy tea", "bought/")


async def sign_in(agent: Agent, stage: Stage) -> None:
    """The browser asks for a passkey in a window that nobody sees, and that takes all input."""
    site = stage.site.replace("127.0.0.1", "localhost")  # a passkey needs a site with a name
    url = f"{site}/sign_in.html"
    await agent.begin(url, "Sign in")
    await agent.press("Sign in")
    await asyncio.sleep(1)  # a model's pause, in which the window opens
    await _save(agent, url)


async def _save(agent: Agent, url: str) -> None:
    """Save, and start over until this works."""
    await agent.press("Save")
    for _ in range(TRIES):
        if await agent.hears("went-on"):
            return
        await agent.start_over(url)
        await agent.press("Save")
    await agent.hears("went-on")


BOUTS = (
    Bout("a confirm from a timer", Demand(told="Delete 3 files", answer="true"), timer),
    Bout("while (true) in a click", Demand(told=HANGS), loop),
    Bout("a dialog in a popup", Demand(told="Pay 5 euros", answer="true"), popup),
    Bout("a crashed renderer", Demand(told=CRASHED), killed),
    Bout("a passkey request", Demand(told=UNSEEN), sign_in),
    Bout("a redrawn button", Demand(bought="tea"), redrawn),
)
