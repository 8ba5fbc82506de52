"""A step's environment: its own Chromium, a relay in front of it, and a task."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import tabwarden
from support.chaos.pages import Pages
from support.faulty import FaultyRelay
from support.inventory import Inventory, inventory
from support.running import chromium_process
from support.site import Site
from tabwarden import BrowserConfig
from tabwarden.supervisor.runtime import CDPSupervisor
from tabwarden.sync import Browser

__all__ = ["World", "processes"]

_HEAP_MB = 64
"""The memory limit for a renderer's scripts, so that a page that exhausts it ends soon."""
_DISK = 1_000_000
"""The download folder's size, in bytes."""


class World:
    """A world; use it with ``with``. Nothing may be left afterwards."""

    def __init__(self) -> None:
        self.is_over = False
        """Its browser was killed: the next step needs another world."""
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> World:
        try:
            return self._opened()
        except BaseException:
            self._stack.close()
            raise

    def _opened(self) -> World:
        enter = self._stack.enter_context
        folder = Path(enter(tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True)))
        self.downloads = folder / "downloads"
        self.disk_is_small = enter(_small_disk(self.downloads))
        """Where that could be arranged, downloads have a disk that can be full."""
        self.site = enter(Site())
        self.pages = Pages(self.site)
        self.port, self.pid = enter(
            chromium_process(folder, f"--js-flags=--max-old-space-size={_HEAP_MB}")
        )
        self.relay = enter(FaultyRelay(self.port))
        config = BrowserConfig(
            # In all tabs: other clients' dialogs are native by default, so never held.
            download_dir=str(self.downloads),
            dialog_timeout_s=60,
            dialog_bridge="debugger",
        )
        self.browser = enter(Browser.connect(self.relay.url, config=config, timeout_ms=60_000))
        self.browser.goto(self.site.here + "/", timeout_ms=60_000)
        self.wait(lambda: self.supervisor.guard_post.guard is not None, "the guard")
        self.at_rest: Inventory = inventory(self.browser)
        return self

    def __exit__(self, *told: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            for pid in processes(self.pid):
                os.kill(pid, signal.SIGCONT)
        self._stack.close()

    @property
    def supervisor(self) -> CDPSupervisor:
        """The task's own tab."""
        supervisor = tabwarden.browser.opening.registry.get(self.browser.task_id)
        assert supervisor is not None
        return supervisor

    @staticmethod
    def wait(holds: Callable[[], object], what: str, seconds: float = 20) -> None:
        """Wait for a condition that no event reports."""
        pause = threading.Event()
        for _ in range(int(seconds / 0.005)):
            if holds():
                return
            pause.wait(0.005)
        raise TimeoutError(f"waited {seconds:g} s for {what}")


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    """Mount a separate file system in a folder, which requires root; return whether it worked."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", folder]
    if shutil.which("mount") is None or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def processes(root: int, kind: str = "") -> list[int]:
    """A process and all that it started, or those of one kind: ``renderer``, ``gpu-process``,
    ``network`` (the service)."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            text = stat.read_text().rpartition(")")[2].split()
            if text[0] != "Z":
                parents.setdefault(int(text[1]), []).append(int(stat.parent.name))
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += parents.get(pid, [])
    mark = {"": b"", "network": b"network.mojom"}.get(kind, f"--type={kind}".encode())
    return [pid for pid in found if mark in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
