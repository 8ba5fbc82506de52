"""A page with a button, and a script that hangs it and reports its start."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass

from support.site import Site

__all__ = ["HANG", "IN_ORDER", "Shop"]

HANG = """
  const request = new XMLHttpRequest(); request.open('GET', '/began', false); request.send();
  while (true) {}"""
"""Report to the test that the script is running, and never end."""

IN_ORDER = [
    ("browser_evaluate", {"script": script})
    for script in (
        "new Promise(done => setTimeout(() => { document.title = 'One'; done(0) }, 200))",
        "document.title += ' two'",
        "document.title",
    )
]
"""Calls whose last returns "One two" only if each waits for the previous one."""


@dataclass(frozen=True)
class Shop:
    """A page with a button, and a hang that reports its start."""

    site: Site
    url: str
    began: threading.Event

    async def hung(self) -> None:
        """Wait until ``HANG`` runs."""
        assert await asyncio.to_thread(self.began.wait, 60)
