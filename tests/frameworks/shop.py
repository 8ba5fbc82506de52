"""A page with a button, and a script that hangs it and tells when it has begun."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass

from support.site import Site

__all__ = ["HANG", "Shop"]

HANG = """
  const request = new XMLHttpRequest(); request.open('GET', '/began', false); request.send();
  while (true) {}"""
"""Tells the test that it runs, and never ends."""


@dataclass(frozen=True)
class Shop:
    """A page with a button, and a hang that tells when it has begun."""

    site: Site
    url: str
    began: threading.Event

    async def hung(self) -> None:
        """Wait until ``HANG`` runs."""
        assert await asyncio.to_thread(self.began.wait, 30)
