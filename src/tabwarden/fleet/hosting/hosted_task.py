"""``HostedTask``: a task whose lease this host holds, and its browser."""

from __future__ import annotations

import asyncio

from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
from tabwarden.fleet.leasing.values import Cause
from tabwarden.fleet.watchdog import now

BROWSER_ENDED = "the browser exited on its own"
LEASE_LATE = "its lease could not be renewed"


class HostedTask:
    """A task on this host.

    Attributes:
        granted: when this host sent the heartbeat whose reply granted it the lease
            (``watchdog.now``). A newer heartbeat replaces it until the browser has started.
        browser: the browser, once it has started.
        clients: how many clients are connected.
        last_client: when the last client disconnected (``watchdog.now``).
        end_reason: why the task ends on this host; "" while it runs.
        cause: how the browser caused the end of the task.
        gone: set when its browser is dead.
    """

    def __init__(self, task: str, generation: int, granted: float) -> None:
        self.task = task
        self.generation = generation
        self.granted = granted
        self.browser: asyncio.Future[HostedBrowser] = asyncio.get_running_loop().create_future()
        self.clients = 0
        self.last_client = now()
        self.end_reason = ""
        self.cause: Cause = ""
        self.gone = asyncio.Event()

    @property
    def started(self) -> HostedBrowser | None:
        """The browser, if it has started."""
        started = self.browser.done() and self.browser.exception() is None
        return self.browser.result() if started else None

    def refuse(self, error: Exception) -> None:
        """Tell the waiting clients that the browser did not start."""
        self.browser.set_exception(error)
        self.browser.exception()  # there might be no waiting client


class TaskOver(Exception):
    """This host does not hold the lease, or holds another generation of it."""

    def __init__(self, latest: int, reason: str, cause: Cause = "") -> None:
        super().__init__(reason)
        self.latest = latest
        """The latest generation that this host knows; 0 if it doesn't know the task."""
        self.reason = reason
        self.cause = cause
        """The message that the task's owner must receive."""
