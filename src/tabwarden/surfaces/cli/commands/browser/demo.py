"""``tabwarden demo``, and its live view."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabwarden.surfaces.cli.commands.base import shows_errors
from tabwarden.surfaces.cli.commands.browser.live import has_display, open_link
from tabwarden.surfaces.cli.commands.browser.sessions import own_name

if TYPE_CHECKING:
    from tabwarden.demo.stage import Stage
    from tabwarden.surfaces.live.registry import Server

VIEWER_S = 5.0
"""How long ``tabwarden demo --live`` waits before its first step, so that a person can open the
page.
"""


@asynccontextmanager
async def watched(stage: Stage) -> AsyncIterator[None]:
    """Serve a live view of the demo's browser, and give the person time to open it."""
    from tabwarden.surfaces.live.app import OwnServer
    from tabwarden.surfaces.live.live import Live, Scope
    from tabwarden.tools.offer import BorrowedSession

    def sessions() -> dict[str, BorrowedSession]:
        browser = stage.opened
        return {"demo": BorrowedSession(browser)} if browser is not None and browser.is_open else {}

    async def no_others() -> list[Server]:
        return []

    live = Live("the demo", sessions, no_others)
    server = OwnServer(live)
    await server.start()
    try:
        url = live.link(Scope(name=own_name()))
        opened = has_display() and open_link(url)
        words = "" if opened else f" The demo continues in {VIEWER_S:.0f} seconds."
        stage.teller.say(f"\nWatch it here: {url}{words}", "bold")
        await asyncio.sleep(VIEWER_S)
        yield
    finally:
        await server.stop()


@click.command()
@click.option("--headed", is_flag=True, help="Show the browser's window.")
@click.option("--live", is_flag=True, help="Print a link to a live view of the agent.")
@click.option("--keep", is_flag=True, help="Leave the browser open until you press Enter.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-output"),
    show_default=True,
    help="Folder for the screenshot.",
)
@shows_errors
def demo(headed: bool, live: bool, keep: bool, output: Path) -> None:
    """Run a scripted agent in a small web shop, with dialogs, frames, a hang and a crash.

    If no browser works yet, the demo first installs one, like `tabwarden browsers install
    --if-missing`.
    """
    from tabwarden.demo.story import run_demo
    from tabwarden.surfaces.cli.commands.browser.browsers import install_browser

    prepare = partial(install_browser, from_file=None, if_missing=True)
    run = partial(run_demo, headed=headed, keep=keep, output=output, prepare=prepare)
    if live:
        run = partial(run, watched=watched)
    sys.exit(run())
