"""Threads that may be left: for looks that block, on a dead network drive or a silent resolver."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

__all__ = ["AbandonableThreads"]

P = ParamSpec("P")
T = TypeVar("T")


class AbandonableThreads(ThreadPoolExecutor):
    """A thread for each call, which nobody waits for at the end.

    asyncio and the interpreter both join the threads of the executor that comes with a loop, and
    so wait for the one that hangs.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See ``Executor.submit``."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - handed to the one who waits
                future.set_exception(error)

        threading.Thread(target=work, name="tabwarden-doctor", daemon=True).start()
        return future

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Nothing is waited for."""
