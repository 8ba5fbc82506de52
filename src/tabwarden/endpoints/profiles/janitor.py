"""The janitor: a tiny process that briefly outlives its owner to clean up.

Run it as ``python -I -S -E janitor.py <scratch folder> <owner pid>``. It imports only the standard
library, because every browser has its own janitor, which must therefore be small. Its standard
input is a pipe, and only the owner has the pipe's write end. The owner writes the browser's process
ID to this pipe. However the owner exits (return, exception, SIGTERM, SIGKILL), the pipe closes.
Then the janitor gives the browser a moment to exit, kills the browser's process group, removes the
scratch folder, and exits. The janitor removes only a folder that contains our marker.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import time

PREFIX = "tabwarden-"
MARKER = "tabwarden-owner"
MAGIC = b"tabwarden scratch folder\n"

_BY_ITSELF_S = 0.5  # on a pipe, 0.13 s suffice (docs/facts.md, "How a launched browser ends")
_AFTER_TERM_S = 1.5
_REMOVE_S = 10.0
_POLL_S = 2.0  # only if the system has no pidfd


def is_scratch(folder: str) -> bool:
    """Whether Tabwarden made ``folder``, judging by its name, marker and owner."""
    marker = os.path.join(folder, MARKER)
    try:
        folder_status, marker_status = os.lstat(folder), os.lstat(marker)
        if not (stat.S_ISDIR(folder_status.st_mode) and stat.S_ISREG(marker_status.st_mode)):
            return False
        if hasattr(os, "geteuid") and folder_status.st_uid != os.geteuid():
            return False
        with open(marker, "rb") as file:
            genuine = file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False
    return genuine and os.path.basename(folder).removeprefix(".").startswith(PREFIX)


def remove_scratch(folder: str, timeout_s: float = _REMOVE_S) -> bool:
    """Remove a scratch folder, retrying while dying processes still write to it.

    Return whether the folder is gone. Never removes a folder that Tabwarden did not make. Removes
    the marker last, so that a later attempt recognizes a partly removed folder as ours.
    """
    deadline = time.monotonic() + timeout_s
    while os.path.lexists(folder):
        if not is_scratch(folder):
            return False
        _remove_once(folder)
        if os.path.lexists(folder):
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
    return True


def _remove_once(folder: str) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif name != MARKER:
                os.unlink(path)
        if os.listdir(folder) == [MARKER]:
            os.unlink(os.path.join(folder, MARKER))
            os.rmdir(folder)


if sys.platform == "win32":
    import ctypes
    import subprocess

    def serve(folder: str, owner_pid: int) -> None:
        kernel32 = ctypes.windll.kernel32
        kernel32.OpenProcess.restype = ctypes.c_void_p
        line = sys.stdin.buffer.readline()
        synchronize = 0x00100000
        # An open handle keeps Windows from reusing the pid.
        handle = kernel32.OpenProcess(synchronize, False, int(line)) if line.strip() else None
        sys.stdin.buffer.read()
        if handle:
            still_running = 0x00000102
            waited = kernel32.WaitForSingleObject(ctypes.c_void_p(handle), int(_BY_ITSELF_S * 1000))
            if waited == still_running:
                subprocess.run(
                    ["taskkill", "/T", "/F", "/PID", str(int(line))],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=False,
                )
        remove_scratch(folder)

else:
    import select
    import signal

    class _Watched:
        """A process to watch, through a pidfd or by polling."""

        def __init__(self, pid: int) -> None:
            self.pid = pid
            self.fd: int | None = None
            self.gone = False
            if hasattr(os, "pidfd_open"):
                try:
                    self.fd = os.pidfd_open(pid)
                except ProcessLookupError:
                    self.gone = True
                except OSError:  # an old kernel or a seccomp filter: poll instead
                    self.fd = None

        def look(self) -> None:
            if self.fd is None and not self.gone:
                try:
                    os.kill(self.pid, 0)
                except ProcessLookupError:
                    self.gone = True
                except PermissionError:  # another process has the pid now
                    self.gone = True

        def wait(self, timeout_s: float) -> None:
            deadline = time.monotonic() + timeout_s
            while not self.gone and time.monotonic() < deadline:
                left = deadline - time.monotonic()
                if self.fd is None:
                    time.sleep(min(left, 0.05))
                    self.look()
                else:
                    self.gone = bool(select.select([self.fd], [], [], left)[0])

    def _end_group(pid: int, signal_number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal_number)

    def _watch(owner: _Watched) -> _Watched | None:
        """Wait until the owner exits; return the browser if it is still running.

        If the browser exits first, kill its process group at once, because another process could
        later get the same ID.
        """
        browser: _Watched | None = None
        words = b""
        while True:
            watched = [process for process in (owner, browser) if process is not None]
            for process in watched:
                process.look()
            if browser is not None and browser.gone:
                _end_group(browser.pid, signal.SIGKILL)
                browser = None
                continue
            fds = [process.fd for process in watched if process.fd is not None]
            timeout_s = None if len(fds) == len(watched) else _POLL_S
            if owner.gone:
                timeout_s = 0.0  # from now on, only read the rest of the owner's output
            ready = select.select([0, *fds], [], [], timeout_s)[0]
            for process in watched:
                process.gone = process.gone or process.fd in ready
            if 0 in ready:
                data = os.read(0, 64)
                if not data:
                    return browser
                words += data
                if words.endswith(b"\n"):
                    browser, words = _Watched(int(words)), b""
            elif owner.gone:
                return browser

    def serve(folder: str, owner_pid: int) -> None:
        """Wait until the owner exits, then terminate the browser and remove the folder."""
        browser = _watch(_Watched(owner_pid))
        if browser is not None:
            browser.wait(_BY_ITSELF_S)
            if not browser.gone:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(browser.pid, signal.SIGTERM)
                browser.wait(_AFTER_TERM_S)
            _end_group(browser.pid, signal.SIGKILL)
        remove_scratch(folder)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
