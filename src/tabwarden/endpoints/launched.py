"""A browser that we launched, and its end."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.options import Transport
from tabwarden.endpoints.process import BrowserProcess
from tabwarden.endpoints.profile_claim import ProfileClaim
from tabwarden.endpoints.scratch import Janitor, Scratch
from tabwarden.wire import Wire

__all__ = ["Custody", "LaunchedBrowser"]

_GRACE_S = {"pipe": 3.0, "port": 0.5}
"""How long a browser may take to end by itself. Only the pipe's closing tells it to."""
_AFTER_TERM_S = 1.0
_AFTER_KILL_S = 2.0
_CLEANUP_S = 5.0


class Custody:
    """All that a launch leaves on the system, and the one way to be rid of it."""

    def __init__(self, scratch: Scratch, janitor: Janitor, transport: Transport) -> None:
        self.scratch = scratch
        self.janitor = janitor
        self.transport = transport
        self.claim: ProfileClaim | None = None
        """On the profile, where that is kept."""
        self.process: BrowserProcess | None = None
        self.wire: Wire | None = None
        self._ending: asyncio.Task[None] | None = None

    async def end(self, budget: Budget, *, gracefully: bool) -> None:
        """End the browser and remove what is ours; a second call waits for the first.

        What the budget leaves no time for is finished by a thread and the janitor.
        """
        if self._ending is None:
            self._ending = asyncio.create_task(self._end(budget, gracefully))
        await asyncio.shield(self._ending)

    def kill(self) -> None:
        """End the browser's processes now, without a wait."""
        if self.process is not None:
            self.process.kill()

    async def _end(self, budget: Budget, gracefully: bool) -> None:
        process = self.process
        if process is not None:
            if not gracefully:
                process.kill()
            await self._close_wire(budget)
            await self._end_process(process, budget, gracefully)
        if self.claim is not None:
            self.claim.end()
        try:
            cleaning = asyncio.get_running_loop().run_in_executor(None, self._clean_up)
        except RuntimeError:  # the interpreter is on its way out, and takes no more threads
            self._clean_up()
            return
        await asyncio.wait({cleaning}, timeout=budget.remaining_s())

    async def _close_wire(self, budget: Budget) -> None:
        if self.wire is not None:
            closing = asyncio.ensure_future(self.wire.aclose())
            # A stopped browser never answers a WebSocket's closing frame.
            await asyncio.wait({closing}, timeout=min(0.5, budget.remaining_s()))

    async def _end_process(self, process: BrowserProcess, budget: Budget, gracefully: bool) -> None:
        if gracefully and not process.is_stopped():
            grace_s = min(_GRACE_S[self.transport], budget.remaining_s() / 2)
            if not await process.wait(grace_s):
                process.terminate()
                await process.wait(min(_AFTER_TERM_S, budget.remaining_s() / 2))
        process.kill()
        await process.wait(min(_AFTER_KILL_S, budget.remaining_s()))

    def _clean_up(self) -> None:
        until = time.monotonic() + _CLEANUP_S
        self.scratch.remove(_CLEANUP_S)
        # If something of it is left, the janitor goes on alone.
        self.janitor.dismiss(max(0.5, until - time.monotonic()))


class LaunchedBrowser:
    """A running browser of ours. Whoever launched it ends it, with ``end``.

    Attributes:
        wire: the CDP wire, answered once and ready to be started by its user.
        executable: what was started.
        product: what it calls itself: "Chrome/156.0.8078.79".
        profile_dir: its profile.
        temporary_profile: whether that profile goes at the end.
        ws_url: its address, with transport "port"; None with the pipe, which has none.
        sandboxed: whether its own sandbox is on.
    """

    def __init__(
        self,
        custody: Custody,
        process: BrowserProcess,
        wire: Wire,
        *,
        executable: Path,
        product: str,
        profile_dir: Path,
        temporary_profile: bool,
        ws_url: str | None,
        sandboxed: bool,
    ) -> None:
        self._custody = custody
        self._process = process
        self.wire = wire
        self.executable = executable
        self.product = product
        self.profile_dir = profile_dir
        self.temporary_profile = temporary_profile
        self.ws_url = ws_url
        self.sandboxed = sandboxed

    def __repr__(self) -> str:
        state = "running" if self.exit_status is None else f"exited {self.exit_status}"
        return f"LaunchedBrowser({self.product}, pid {self.pid}, {state})"

    @property
    def pid(self) -> int:
        """The browser's process id, which is its process group's too."""
        return self._process.pid

    @property
    def version(self) -> str:
        """The version alone: "156.0.8078.79"."""
        return self.product.partition("/")[2]

    @property
    def exit_status(self) -> int | None:
        """None while it runs; else its exit status, negative for the signal that ended it."""
        return self._process.exit_status

    def stderr_tail(self) -> str:
        """The last 8 KB or so of what it wrote to its standard error."""
        return self._process.stderr_tail()

    async def wait_exit(self, timeout_s: float) -> bool:
        """Wait up to ``timeout_s`` for the browser to exit; whether it did."""
        return await self._process.wait(timeout_s)

    async def end(self, budget: Budget) -> None:
        """End the browser, reap it, and remove its temporary profile.

        Send ``Browser.close`` before for the politest end. Closing the wire tells a browser on a
        pipe the same; one on a port gets a second, then SIGTERM. One that does not go is killed
        with its group. Idempotent; safe when it is dead or stopped already. Never raises for
        what the browser does; past the budget the rest is done in the background.
        """
        await self._custody.end(budget, gracefully=True)
