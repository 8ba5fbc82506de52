"""Messages to and from a viewer, without a browser."""

from __future__ import annotations

import asyncio

import pytest

from tabwarden.surfaces.live.live import Live, Scope
from tabwarden.surfaces.live.registry import Server
from tabwarden.surfaces.live.viewer import Viewer


class _Line:
    """A connection whose peer reads only on request."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.told: list[str] = []

    async def text(self, text: str) -> None:
        await self.reads.wait()
        self.told.append(text)

    async def binary(self, data: bytes) -> None:
        raise AssertionError(data)


async def _nobody() -> list[Server]:
    return []


@pytest.mark.threat
def test_live_view_stops_reading_from_a_viewer_that_reads_nothing() -> None:
    asyncio.run(_a_viewer_that_reads_nothing())


async def _a_viewer_that_reads_nothing() -> None:
    line = _Line()
    viewer = Viewer(Live("these tests", dict, _nobody), Scope(), "Ann", line)
    telling = asyncio.create_task(viewer.tell())

    async def ask() -> None:
        for number in range(1000):
            viewer.heard({"type": "control", "task": "gone", "asked": number})
            await viewer.room()

    asking = asyncio.create_task(ask())
    done, _ = await asyncio.wait((asking,), timeout=0.1)
    assert not done
    assert len(viewer._news) == 100
    line.reads.set()
    await asking
    telling.cancel()
