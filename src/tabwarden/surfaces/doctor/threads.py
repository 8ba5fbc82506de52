"""Threads that can be abandoned, because a check may block on a network drive or a DNS server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class AbandonableThreads(ThreadPoolExecutor):
    """Starts a thread for each call. The process does not wait for these threads at exit.

    asyncio and the interpreter would join an ordinary executor's threads, even a hung one.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - passed to the waiting caller
                future.set_exception(error)

        threading.Thread(target=work, name="tabwarden-doctor", daemon=True).start()
        return future

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Wait for nothing."""
