"""The live view of ``tabwarden demo --live``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.demo.stage import Stage
from tabwarden.surfaces.cli.commands.link_page import open_link
from tabwarden.surfaces.cli.commands.live import has_display, own_name
from tabwarden.surfaces.cli.commands.timing import VIEWER_S
from tabwarden.surfaces.live.links import Scope
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.live.registry import Server
from tabwarden.surfaces.live.serving import OwnServer
from tabwarden.tools.borrowed_session import BorrowedSession


@asynccontextmanager
async def watched(stage: Stage) -> AsyncIterator[None]:
    """Serve the demo's browser in a live view, and give the person time to open it."""

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
        words = "" if opened else f" The demo goes on in {VIEWER_S:.0f} seconds."
        stage.teller.say(f"\nWatch it here: {url}{words}", "bold")
        await asyncio.sleep(VIEWER_S)
        yield
    finally:
        await server.stop()
