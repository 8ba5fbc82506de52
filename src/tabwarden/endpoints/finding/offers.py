"""Find the browsers on this computer in which the user has allowed remote debugging.

A browser that allows debugging writes its port and the path of its WebSocket to the file
``DevToolsActivePort`` in its profile folder. The file remains after the browser exits, so we probe
the port. A browser that was started with ``--remote-debugging-port`` responds to ``/json/version``.
The server that the user enables at chrome://inspect/#remote-debugging (Chrome 144) speaks only
WebSocket, and asks the user to allow each connection. This module therefore opens no WebSocket.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from tabwarden.budget import Budget
from tabwarden.endpoints.attaching import HttpResponse, ResponseTooLong, advertised, asked
from tabwarden.endpoints.profiles import DefaultFolder, default_folders
from tabwarden.files.plain_file import read_plain_file

OFFER_MS = 2000.0
"""How long a browser on this computer may take to respond at its debugging port. A browser responds
within milliseconds; another program may never respond.
"""
DEBUGGING_PORT = 9222
"""The port that people usually pass to ``--remote-debugging-port``, and that chrome://inspect
uses."""
_FILE = re.compile(r"(\d{1,5})\s+(/devtools/browser\S*)\s*")

Answer = Literal["offers", "asks", "silent", "stranger"]
"""The program that listens on the port. ``offers``: the expected browser. ``asks``: the expected
browser, which speaks only WebSocket and asks the user about each connection. ``silent``: none.
``stranger``: another program, or another browser.
"""


class Offer(NamedTuple):
    """A browser's debugging port: read from its profile folder, or else the default port."""

    name: str
    """The browser's name, such as "chrome" or "edge-beta", or else the port."""
    port: int
    ws_url: str
    """"" if unknown."""
    answer: Answer
    version: str = ""
    """Such as "156.0.8078.79"; "" if unknown."""

    @property
    def stands(self) -> bool:
        return self.answer in ("offers", "asks")


async def find_offers(budget: Budget) -> list[Offer]:
    """Return the debugging ports found in the default profile folders, Chrome's first. If none of
    these browsers allows debugging, the last element can be a browser on port 9222 whose profile
    folder is elsewhere.
    """
    unchecked = [offer for folder in default_folders() if (offer := _read(folder))]
    offers = list(await asyncio.gather(*(_checked(offer, budget) for offer in unchecked)))
    if not any(offer.stands for offer in offers):
        usual = await _checked(Offer(str(DEBUGGING_PORT), DEBUGGING_PORT, "", "silent"), budget)
        if usual.answer == "offers":
            offers.append(usual)
    return offers


async def offer_in(folder: Path, name: str, budget: Budget) -> Offer | None:
    """Return the debugging port found in one profile folder; None if the folder has no
    ``DevToolsActivePort``.
    """
    offer = _read(DefaultFolder(name, folder))
    return await _checked(offer, budget) if offer is not None else None


async def offer_at(port: int, budget: Budget) -> Offer:
    """Whether a browser with ``--remote-debugging-port`` listens at ``port``."""
    return await _checked(Offer(str(port), port, "", "silent"), budget)


def _read(folder: DefaultFolder) -> Offer | None:
    try:
        text = read_plain_file(folder.path / "DevToolsActivePort")
    except OSError:
        return None
    matched = _FILE.fullmatch(text.decode(errors="replace"))
    if matched is None or not 0 < int(matched[1]) < 65_536:
        return None
    port = int(matched[1])
    return Offer(folder.name, port, f"ws://127.0.0.1:{port}{matched[2]}", "silent", folder.version)


async def _checked(offer: Offer, budget: Budget) -> Offer:
    """Find out which program listens on the port."""
    import httpx2  # slow to import, and not needed to launch a browser

    own = budget.child(at_most_ms=OFFER_MS)
    try:
        async with (
            asyncio.timeout(own.remaining_s()),
            httpx2.AsyncClient(trust_env=False, verify=False, timeout=own.remaining_s()) as client,
        ):
            page = f"http://127.0.0.1:{offer.port}/json/version"
            return _answered(offer, await asked(client, "GET", page))
    except httpx2.ConnectError:
        return offer._replace(answer="silent")
    except (httpx2.HTTPError, ResponseTooLong, TimeoutError):
        return offer._replace(answer="stranger")


def _answered(offer: Offer, response: HttpResponse) -> Offer:
    address = advertised(response)
    if address is not None:
        path = urlsplit(address).path
        if offer.ws_url and urlsplit(offer.ws_url).path != path:
            return offer._replace(answer="stranger")
        return offer._replace(answer="offers", ws_url=f"ws://127.0.0.1:{offer.port}{path}")
    asks = response.status_code in (403, 404) and bool(offer.ws_url)
    return offer._replace(answer="asks" if asks else "stranger")
