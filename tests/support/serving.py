"""A server of ours as a process: ``tabwarden serve``, or ``tabwarden mcp --http``."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["TOKEN", "Serving", "running_server"]

TOKEN = "a-token-of-the-tests-0123456789"
_STARTED = re.compile(r"serves on (http://\S+) ")
_PROGRAM = Path(sys.executable).with_name("tabwarden")


class Serving:
    """A server that has printed its address."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.process = process
        self.told: list[str] = []
        """All that it wrote on stderr, line by line."""
        for line in process.stderr:
            self.told.append(line)
            if found := _STARTED.search(line):
                self.url = found[1]
                break
        else:
            raise AssertionError(f"it did not start: {self.told}")
        self._drained = threading.Thread(
            target=lambda: self.told.extend(process.stderr or ()), daemon=True
        )
        self._drained.start()

    @property
    def port(self) -> int:
        return int(self.url.removeprefix("http://").partition("/")[0].rpartition(":")[2])

    def stop(self, sig: int = signal.SIGTERM) -> int:
        """Send a signal; return the exit status."""
        self.process.send_signal(sig)
        status = self.process.wait(30)
        self._drained.join(5)
        return status


@contextmanager
def running_server(*command: str, **environment: str) -> Iterator[Serving]:
    """Start one on a free port until the block ends, with ``TOKEN`` unless the environment says
    otherwise; a variable that is empty is left out."""
    known = {**os.environ, "TABWARDEN_SERVER__TOKEN": TOKEN, **environment}
    with subprocess.Popen(
        [_PROGRAM, *command, "--port", "0"], stderr=subprocess.PIPE, text=True,
        env={name: value for name, value in known.items() if value},
    ) as process:  # fmt: skip
        try:
            yield Serving(process)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(30)
