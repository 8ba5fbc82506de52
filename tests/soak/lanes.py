"""Two concurrent lanes of work: one blocks its thread, the other has an event loop."""

from __future__ import annotations

import asyncio
import itertools
import random
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from soak import async_works, sync_works
from soak.field import Field

import tabwarden
from tabwarden import BrowserConfig
from tabwarden.sync import Browser

__all__ = ["Lanes"]

T = TypeVar("T")
W = TypeVar("W")
_WORKS, _WORKS_BESIDE = 3, 2
"""The works in one round."""
_REST = 1.0
"""The pause after each work, as a multiple of the work's duration: half idle."""
_LONGEST_REST_S = 3.0


class Lanes:
    """The browsers that stay open over all rounds, and who works in them.

    Args:
        field: what stands around.
        folder: for files; work leaves it empty.
        seed: for the order of the work.
    """

    def __init__(self, field: Field, folder: Path, seed: int) -> None:
        self._field = field
        self._folder = folder
        order = random.Random(seed)
        self._sync = _shuffled((*sync_works.USUAL, _in_turn(sync_works.RARE)), order)
        self._async = _shuffled(async_works.USUAL, order)
        self._open = ExitStack()

    def __enter__(self) -> Lanes:
        config = BrowserConfig(
            download_dir=self._folder,
            upload_dir=self._folder,
            allow_private_networks=True,
            hang_patience=6,  # other processes may use the machine
        )
        browser = self._open.enter_context(Browser.launch(config=config))
        self._scene = sync_works.Scene(browser, self._field, self._folder)
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever, name="lane", daemon=True)
        thread.start()
        self._open.callback(self._loop.close)
        self._open.callback(thread.join)
        self._open.callback(self._loop.call_soon_threadsafe, self._loop.stop)
        guests = AsyncExitStack()
        self._open.callback(lambda: self._await(guests.aclose()))
        self._pair = self._await(self._connect(guests))
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.close()

    def round(self) -> None:
        """Do some of the work; after a few rounds all of it is done."""
        works = [next(self._sync) for _ in range(_WORKS)]
        others = [next(self._async) for _ in range(_WORKS_BESIDE)]
        beside = asyncio.run_coroutine_threadsafe(self._work(others), self._loop)
        try:
            for work in works:
                began = time.monotonic()
                with _told(work):
                    work(self._scene)
                time.sleep(_rest(began))
        finally:
            beside.result()
        for browser in (self._scene.browser, self._pair.one, self._pair.other):
            assert len(browser.state.tabs) == 1, browser.state.tabs
            assert not browser.state.pending_dialogs

    async def _work(self, works: Iterable[async_works.Work]) -> None:
        for work in works:
            began = time.monotonic()
            with _told(work):
                await work(self._pair)
            await asyncio.sleep(_rest(began))

    async def _connect(self, guests: AsyncExitStack) -> async_works.Pair:
        one, other = [
            await guests.enter_async_context(
                tabwarden.Browser.connect(self._field.browser, context="own")
            )
            for _ in range(2)
        ]
        return async_works.Pair(one, other, self._field)

    def _await(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


def _shuffled(works: Sequence[W], order: random.Random) -> Iterator[W]:
    """All of them, repeatedly, in a different order each time."""
    while True:
        yield from order.sample(works, len(works))


def _in_turn(works: Sequence[sync_works.Work]) -> sync_works.Work:
    """One of them each time, in turn."""
    turns = itertools.cycle(works)
    return lambda scene: next(turns)(scene)


@contextmanager
def _told(work: Callable[..., object]) -> Iterator[None]:
    """Report which work failed."""
    try:
        yield
    except Exception as error:
        error.add_note(f"in {work.__name__}")
        raise


def _rest(began: float) -> float:
    return min(_LONGEST_REST_S, _REST * (time.monotonic() - began))
