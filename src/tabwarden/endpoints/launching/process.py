"""Start, watch and end a browser's process, without blocking the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

_TAIL_BYTES = 8192


class PipeEnds:
    """The four file descriptors of a debugging pipe."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self.child_reads, self.we_write = self._pair()
        self.we_read, self.child_writes = self._pair()

    def _pair(self) -> tuple[int, int]:
        pair = os.pipe()
        self._open.update(pair)
        return pair

    def give_away(self, *fds: int) -> None:
        """Mark these descriptors as given to other code, so that ``close`` doesn't close them."""
        self._open.difference_update(fds)

    def close(self, *fds: int) -> None:
        """Close these descriptors, or by default all that were not given away."""
        for fd in fds or tuple(self._open):
            if fd in self._open:
                self._open.remove(fd)
                os.close(fd)


_ON_THE_WORD = 'read -r go || exit 1; exec "$@" </dev/null >/dev/null'
"""A shell script that starts the browser after reading a line from us. We write the line when the
janitor knows the process ID. If this process is killed before that, the browser never starts.
"""


def spawn(
    command: Sequence[str],
    environment: Mapping[str, str],
    pipe: PipeEnds | None,
    told: Callable[[int], None],
) -> BrowserProcess:
    """Start the browser in its own session and process group.

    Chrome expects the pipe on descriptors 3 and 4. A shell gets the pipe on descriptors 0 and 1,
    moves it to 3 and 4, and replaces itself with the browser. This avoids ``preexec_fn``, which is
    unsafe with threads, and descriptors above 9, which dash can't move.

    ``told`` is called with the process id before the browser starts (on Windows, soon after).
    """
    if sys.platform == "win32":
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=dict(environment),
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
        )
        told(process.pid)
        return BrowserProcess(process)
    begin = _ON_THE_WORD if pipe is None else _ON_THE_WORD.replace('"$@"', '"$@" 3<&0 4>&1')
    process = subprocess.Popen(
        ("/bin/sh", "-c", begin, "sh", *command),
        stdin=pipe.child_reads if pipe else subprocess.PIPE,
        stdout=pipe.child_writes if pipe else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=dict(environment),
        umask=0o077,  # only this user may read its profile and its downloads
        start_new_session=True,
    )
    told(process.pid)
    with contextlib.suppress(BrokenPipeError):  # the shell was already killed
        if pipe is not None:
            os.write(pipe.we_write, b"\n")
        elif process.stdin is not None:
            with process.stdin as word:
                word.write(b"\n")
    return BrowserProcess(process)


class BrowserProcess:
    """A running browser, started by ``spawn``. A thread reaps the process as soon as it exits."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._reaping = threading.Lock()
        self._tail = b""
        self.exited: Future[int] = Future()
        """The exit status, once known."""
        self.exited.set_running_or_notify_cancel()  # so that no waiting caller can cancel it
        self.drained: Future[None] = Future()
        """Done when all of standard error has been read."""
        self.drained.set_running_or_notify_cancel()
        for work in (self._reap, self._drain):
            threading.Thread(target=work, name=f"tabwarden-{self.pid}", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        return self.exited.result() if self.exited.done() else None

    def stderr_tail(self) -> str:
        return self._tail.decode(errors="replace").strip()

    async def wait(self, timeout_s: float) -> bool:
        if not self.exited.done() and timeout_s > 0:
            await asyncio.wait({asyncio.wrap_future(self.exited)}, timeout=timeout_s)
        return self.exited.done()

    async def wait_last_words(self, timeout_s: float = 0.5) -> str:
        """Wait up to ``timeout_s`` for the rest of standard error, then return the last part of
        it.
        """
        await asyncio.wait({asyncio.wrap_future(self.drained)}, timeout=timeout_s)
        return self.stderr_tail()

    def is_stopped(self) -> bool:
        """Whether the process is stopped (SIGSTOP, a debugger) and so can't exit."""
        try:
            status = Path(f"/proc/{self.pid}/stat").read_bytes()
        except OSError:
            return False
        return status.rpartition(b")")[2].split()[0] in (b"T", b"t")

    def terminate(self) -> None:
        """Ask the browser to exit. The browser terminates its child processes itself."""
        with self._reaping:
            if not self.exited.done():
                self._process.terminate()

    def kill(self) -> None:
        with self._reaping:
            if not self.exited.done():
                self._kill_group()

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(self.pid)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        else:
            # macOS returns EPERM for a group that contains only a zombie.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def _reap(self) -> None:
        if sys.platform == "win32" or not hasattr(os, "waitid"):
            status = self._process.wait()
            self.exited.set_result(status)
            return
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._reaping:
            # Until we reap the process, no other process can get its PID, so killing the process
            # group is safe.
            self._kill_group()
            self.exited.set_result(self._process.wait())

    def _drain(self) -> None:
        stderr = self._process.stderr
        if stderr is not None:
            with stderr:
                while words := os.read(stderr.fileno(), 65536):
                    self._tail = (self._tail + words)[-_TAIL_BYTES:]
        self.drained.set_result(None)
