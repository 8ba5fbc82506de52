"""A test shell that runs `tabwarden` processes with its own folders."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tabwarden.surfaces.daemon.locks import FileLock, holder

__all__ = ["Done", "Shell", "shell"]

PROGRAM = Path(sys.executable).with_name("tabwarden")
_GONE_S = 30.0


class Done(NamedTuple):
    """A finished command."""

    status: int
    out: str
    err: str


class Shell:
    """A user's terminal; ``folder`` contains all files that commands write."""

    def __init__(self, folder: Path, session: str = "default") -> None:
        self.folder = folder
        self.runtime = folder / "run"
        self.session = session
        self.env = {
            **os.environ,
            "TABWARDEN_RUNTIME_DIR": str(self.runtime),
            "TABWARDEN_SESSION": session,
            "XDG_STATE_HOME": str(folder / "state"),
            "TMPDIR": str(folder),
        }

    def begin(self, *words: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start a command."""
        return subprocess.Popen(
            [PROGRAM, *words],
            stdout=subprocess.PIPE, env=self.env, cwd=self.folder,
            **{"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **more},
        )  # fmt: skip

    def run(self, *words: str, stdin: str = "") -> Done:
        """Run a command to its end."""
        done = subprocess.run(
            [PROGRAM, *words],
            input=stdin.encode(), capture_output=True,
            env=self.env, cwd=self.folder, timeout=90, check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def at_terminal(self, *words: str) -> str:
        """The output of a successful command as a person sees it."""
        ours, its = pty.openpty()
        with open(ours, "rb", buffering=0) as screen, open(its, "wb", buffering=0) as stdout:
            subprocess.run(
                [PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=stdout,
                env=self.env, cwd=self.folder, timeout=90, check=True,
            )  # fmt: skip
            return screen.read(100_000).decode()  # small: a terminal buffers 4 kB

    def watched(self, *words: str, once: str, then: Callable[[], object]) -> tuple[str, str]:
        """What a command writes to stdout, and shows meanwhile on a terminal that is its stderr;
        ``then`` is called when it shows ``once``."""
        ours, its = pty.openpty()
        with open(ours, "rb", buffering=0) as screen:
            with open(its, "wb", buffering=0) as stderr:
                process = self.begin(*words, stderr=stderr)
            shown = bytearray()
            with suppress(OSError):  # which is how a terminal closes
                while piece := screen.read(4096):
                    before, shown = once.encode() in shown, shown + piece
                    if not before and once.encode() in shown:
                        then()
            said = process.communicate(timeout=90)[0]
            return said.decode(), shown.decode()

    def ok(self, *words: str, stdin: str = "") -> str:
        """Run a command that succeeds; return its output."""
        done = self.run(*words, stdin=stdin)
        assert done.status == 0, done
        return done.out

    def fail(self, *words: str, status: int) -> str:
        """Run a command that fails; return its stderr (stdout must be empty)."""
        done = self.run(*words)
        assert (done.status, done.out) == (status, ""), done
        assert "Traceback" not in done.err
        return done.err

    def json(self, *words: str) -> Any:
        """Run a command with ``--json``; return its output."""
        return json.loads(self.run(*words, "--json").out)

    def value(self, script: str) -> Any:
        """The value of a script in the page."""
        return self.json("eval", script)["value"]

    def ref(self, words: str) -> str:
        """The ref in the snapshot line that contains these words."""
        for line in self.ok("snapshot").splitlines():
            if words in line and (found := re.search(r"\[ref=(e\d+)\]", line)):
                return found[1]
        raise AssertionError(f"no ref for {words!r}")

    @property
    def pid(self) -> int:
        """The daemon's process."""
        found = holder(str(self.runtime / f"{self.session}.life"))
        assert found is not None, "no daemon runs"
        return found

    @property
    def socket(self) -> Path:
        return self.runtime / f"{self.session}.sock"

    def wait_for_end(self) -> None:
        """Wait until the daemon has exited."""
        lock = FileLock(str(self.runtime / f"{self.session}.life"))
        assert lock.take(time.monotonic() + _GONE_S), "the daemon lives on"
        lock.release()


@contextmanager
def shell(folder: Path, session: str = "default") -> Iterator[Shell]:
    """A shell whose daemons end with the block."""
    made = Shell(folder, session)
    try:
        yield made
    finally:
        made.run("daemon", "stop", "--all")
