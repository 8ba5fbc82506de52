"""A browser that we launched, and how to close it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.launching.options import Transport
from tabwarden.endpoints.launching.process import BrowserProcess
from tabwarden.endpoints.profiles import Janitor, ProfileClaim, Scratch
from tabwarden.own_ports import PortClaim
from tabwarden.wire import Wire

CLEANUP_S = 5.0
"""How long we try to remove the scratch folder. After that, we leave it to the janitor."""
AFTER_KILL_S = 2.0
"""How long the kernel may take to terminate a killed process while the disk is busy."""
AFTER_TERM_S = 1.0
"""How long to wait after SIGTERM before SIGKILL."""
EXIT_GRACE_S = {"pipe": 3.0, "port": 0.5}
"""How long we wait for a browser to exit by itself after its wire closes. Only browsers on a pipe
do so.
"""


class Custody:
    """Everything that a launch creates on the system: processes, folders, locks."""

    def __init__(self, scratch: Scratch, janitor: Janitor, transport: Transport) -> None:
        self.scratch = scratch
        self.janitor = janitor
        self.transport = transport
        self.claim: ProfileClaim | None = None
        """The lock on the profile, if the profile is kept."""
        self.port: PortClaim | None = None
        """The debugging port, if there is one."""
        self.process: BrowserProcess | None = None
        self.wire: Wire | None = None
        self._ending: asyncio.Task[None] | None = None

    async def end(self, budget: Budget, *, gracefully: bool) -> None:
        """Terminate the browser and remove everything that the launch created.

        A second call waits for the first call. If the time budget runs out, a thread and the
        janitor finish the work.
        """
        if self._ending is None:
            self._ending = asyncio.create_task(self._end(budget, gracefully))
        await asyncio.shield(self._ending)

    def kill(self) -> None:
        """Kill the browser's processes without waiting for them to exit."""
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
        except RuntimeError:  # during interpreter shutdown, no thread can be started
            self._clean_up()
            return
        await asyncio.wait({cleaning}, timeout=budget.remaining_s())

    async def _close_wire(self, budget: Budget) -> None:
        if self.wire is not None:
            closing = asyncio.ensure_future(self.wire.aclose())
            # A stopped browser never responds to the WebSocket's closing frame.
            await asyncio.wait({closing}, timeout=min(0.5, budget.remaining_s()))

    async def _end_process(self, process: BrowserProcess, budget: Budget, gracefully: bool) -> None:
        if gracefully and not process.is_stopped():
            grace_s = min(EXIT_GRACE_S[self.transport], budget.remaining_s() / 2)
            if not await process.wait(grace_s):
                process.terminate()
                await process.wait(min(AFTER_TERM_S, budget.remaining_s() / 2))
        process.kill()
        await process.wait(min(AFTER_KILL_S, budget.remaining_s()))

    def _clean_up(self) -> None:
        if self.port is not None:
            self.port.close()
        until = time.monotonic() + CLEANUP_S
        self.scratch.remove(CLEANUP_S)
        # The janitor removes anything that remains.
        self.janitor.dismiss(max(0.5, until - time.monotonic()))


class LaunchedBrowser:
    """A running browser that we launched. The caller of ``launch`` must also call ``end``.

    Attributes:
        wire: the CDP wire, ready for ``start``. The browser has already responded on it once.
        product: the name and version that the browser reports: "Chrome/156.0.8078.79".
        temporary_profile: whether ``end`` deletes the profile.
        ws_url: the WebSocket URL if the transport is "port"; None if it is "pipe".
        sandboxed: whether the browser's own sandbox is on.
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
        """The browser's process ID, which is also the ID of its process group."""
        return self._process.pid

    @property
    def version(self) -> str:
        """Only the version: "156.0.8078.79"."""
        return self.product.partition("/")[2]

    @property
    def exit_status(self) -> int | None:
        """The exit status; negative if a signal killed the browser. None while the browser runs."""
        return self._process.exit_status

    def stderr_tail(self) -> str:
        """The last part of the browser's standard error, about 8 KB."""
        return self._process.stderr_tail()

    async def wait_exit(self, timeout_s: float) -> bool:
        """Wait up to ``timeout_s`` for the browser to exit; return whether it has exited."""
        return await self._process.wait(timeout_s)

    def kill(self) -> None:
        """Kill the browser's processes without waiting. ``end`` must still be called."""
        self._custody.kill()

    async def end(self, budget: Budget) -> None:
        """Terminate the browser, reap its process, and remove its temporary profile.

        For the cleanest shutdown, send ``Browser.close`` first. Otherwise, a browser on a pipe
        exits because ``end`` closes the wire, and a browser on a port gets SIGTERM after a short
        wait. If the browser is still running after that, we kill its process group.

        Safe to call twice, and safe if the browser is dead or stopped. If the time budget runs out
        first, the work continues in the background.
        """
        await self._custody.end(budget, gracefully=True)
