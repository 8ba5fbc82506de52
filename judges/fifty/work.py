"""An agent's work, which it repeats with a model's pauses."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from support.site import Site

__all__ = ["Log", "Session", "agent", "serve_site"]

CALL_S = 60.0
THINK_S = (2.0, 6.0)
"""The shortest and the longest pause after a call."""
FIELD, BUTTON, READ = "Search", "Find", "document.querySelector('#found').textContent"
WORDS = ("tea", "coffee", "bread", "honey", "salt", "rice", "soap", "paper")
_ITEMS = 60


class Session(Protocol):
    """One agent's browser, through one tool."""

    async def goto(self, url: str) -> object: ...

    async def snapshot(self) -> str: ...

    async def type(self, name: str, text: str) -> object:
        """Type into the field that the last snapshot calls ``name``."""

    async def click(self, name: str) -> object: ...

    async def evaluate(self, expression: str) -> str: ...


@dataclass
class Log:
    """The results of the calls."""

    took_ms: list[float] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)
    rounds: int = 0

    def failed(self, kind: str) -> None:
        self.failures[kind] = self.failures.get(kind, 0) + 1


def serve_site(site: Site, more: str = "") -> str:
    """Serve a shop with a list to search, and ``more`` HTML below it. Yield its URL."""
    items = "".join(
        f"<li><a href='#{n}'>{WORDS[n % len(WORDS)]} no. {n}</a> <button>Add {n}</button></li>"
        for n in range(_ITEMS)
    )
    body = f"""
    <h1>Shop</h1><label>{FIELD} <input id=wanted></label> <button id=go>{BUTTON}</button>
    <p id=found>nothing yet</p><ul>{items}</ul>
    <script>
      document.querySelector('#go').addEventListener('click', () => {{
        const wanted = document.querySelector('#wanted').value;
        const rows = [...document.querySelectorAll('li')];
        for (const row of rows) row.hidden = !row.textContent.includes(wanted);
        const found = rows.filter((row) => !row.hidden).length;
        document.querySelector('#found').textContent = `${{found}} with ${{wanted}}`;
      }});
    </script>{more}"""
    return site.page("/shop", body, title="Shop")


async def agent(session: Session, url: str, seed: int, until: float, log: Log) -> None:
    """Work until a time.

    Args:
        session: the agent's browser.
        url: the site's address.
        seed: decides the words and the pauses.
        until: when to stop, on the clock of ``time.monotonic``.
        log: receives the result of each call.
    """
    chance = random.Random(seed)

    async def call(kind: str, doing: Callable[[], Awaitable[object]]) -> object:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(CALL_S):
                answer = await doing()
        except TimeoutError:
            log.failed(f"{kind}: no answer in {CALL_S:g} s")
            raise
        except Exception as error:
            log.failed(f"{kind}: {kind_of(error)}")
            raise
        log.took_ms.append((time.perf_counter() - began) * 1000)
        left = until - time.monotonic()
        await asyncio.sleep(max(0.0, min(chance.uniform(*THINK_S), left)))
        return answer

    await asyncio.sleep(min(chance.uniform(0, THINK_S[1]), max(0.0, until - time.monotonic())))
    number = 0
    while time.monotonic() < until:
        number += 1
        word = chance.choice(WORDS)
        try:
            await call("goto", lambda: session.goto(f"{url}?agent={seed}&round={number}"))  # noqa: B023
            await call("snapshot", session.snapshot)
            await call("type", lambda: session.type(FIELD, word))  # noqa: B023
            await call("click", lambda: session.click(BUTTON))
            read = await call("read", lambda: session.evaluate(READ))
        except Exception:
            left = until - time.monotonic()
            await asyncio.sleep(max(0.0, min(chance.uniform(*THINK_S), left)))
            continue
        if f"with {word}" in str(read):
            log.rounds += 1
        else:
            log.failed("read: the page did not get the word")


def kind_of(error: BaseException) -> str:
    """Return the error's kind, without numbers that differ between calls."""
    text = str(error).strip().splitlines()
    first = re.sub(r"\d+", "N", text[0])[:80] if text else ""
    return f"{type(error).__name__} {first}".strip()
