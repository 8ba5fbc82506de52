"""Tasks that nobody can finish with a full reward, and why."""

from __future__ import annotations

from bench.miniwob.nodes import NotShown
from bench.miniwob.oracles.registry import oracle
from bench.miniwob.verbs import Page


@oracle("bisect-angle")
async def bisect_angle(page: Page) -> None:
    raise NotShown("only a click exactly on the bisector gives 1.0, and it meets no whole pixel")


@oracle("circle-center")
async def click_center(page: Page) -> None:
    raise NotShown("the page measures to a place half a pixel off; its best reward is 0.98")
