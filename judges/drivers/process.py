"""A driver in a process of its own, so that its hang can't hang the judge."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from bench.leftovers import MARK
from bench.rivals.installed import Installed
from judges.duel.renderers import kill_renderers

__all__ = ["CALL_S", "PRODUCTS", "DriverProcess", "NoAnswer"]

PRODUCTS = ("tabwarden", "stagehand", "browser-use")
CALL_S = 32.0
"""Both vendors' longest call takes 30 s; 2 s are for the answer's way. A later answer is late."""
START_S = 60.0
STOP_S = 10.0
WORKER = Path(__file__).with_name("worker.py")


class NoAnswer(Exception):
    """The driver did not answer in time, or its process ended."""


@dataclass(frozen=True)
class Answer:
    """What a driver answered, and how long that took."""

    body: dict[str, Any]
    seconds: float


class DriverProcess:
    """One product's driver for one contract. ``secrets`` is Tabwarden's configuration of secrets:
    no other driver has them."""

    def __init__(
        self, product: str, contract: str, browser: str, installed: Installed, secrets: str = ""
    ) -> None:
        python = sys.executable if product == "tabwarden" else installed.python(product)
        self._mark = uuid.uuid4().hex
        self._folder = tempfile.TemporaryDirectory(prefix="drivers-", ignore_cleanup_errors=True)
        self.folder = Path(self._folder.name)
        self.uploads = self.folder / "uploads"
        self.uploads.mkdir()
        self.log = self.folder / "log.txt"
        options = {
            "browser": browser, "uploads": str(self.uploads), "folder": str(self.folder),
        }  # fmt: skip
        env = {
            **os.environ, MARK: self._mark, "HOME": str(self.folder),
            "ANONYMIZED_TELEMETRY": "false", "TABWARDEN_CHROME": browser,
            "TABWARDEN_BROWSER__SECRETS": secrets or "{}",
        }  # fmt: skip
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(python), str(WORKER), product, contract, json.dumps(options)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=env, text=True,
                start_new_session=True,
            )  # fmt: skip
        self._lines: queue.Queue[str] = queue.Queue()
        assert self._process.stdout is not None
        listen = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        listen.start()

    def _listen(self, stdout: IO[str]) -> None:
        with stdout:
            for line in stdout:
                self._lines.put(line)
        self._lines.put("")

    def __enter__(self) -> DriverProcess:
        try:
            self._next(START_S)
        except NoAnswer:
            last = self.log.read_text("utf-8", "replace").strip().splitlines()[-1:]
            self._stop()
            raise NoAnswer(f"it did not start: {' '.join(last)[:200]}") from None
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop()

    def order(self, do: str, wait_s: float = CALL_S, **what: Any) -> Answer:
        """Give an order to the worker, and wait for its answer.

        Raises:
            NoAnswer: the answer is later than ``wait_s``. The process is then of no use.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **what}) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise NoAnswer("the driver's process has ended") from error
        answer = self._next(wait_s)
        return Answer(answer["answer"], answer["seconds"])

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill_renderers(self) -> int:
        """Kill the processes of the driver's pages, as a system with too little memory does."""
        return kill_renderers(self._mark)

    def _next(self, wait_s: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=wait_s)
        except queue.Empty:
            raise NoAnswer(f"no answer in {wait_s:.0f} s") from None
        if not line:
            raise NoAnswer("the driver's process has ended")
        found: dict[str, Any] = json.loads(line)
        return found

    def _stop(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._end_browser()
            self._process.wait()
        self._end_browser()
        self._folder.cleanup()

    def _end_browser(self) -> None:
        """Kill what the driver left behind. Its browser may be in a session of its own, without the
        mark, and with renderers that hang."""
        home = f"HOME={self.folder}\0".encode()
        parents, ours = {}, set()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has just ended, or it is another user's
                pid = int(process.name)
                parents[pid] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                if home in (process / "environ").read_bytes() + b"\0":
                    ours.add(pid)
        for pid in parents:
            above = pid
            while above and above not in ours:
                above = parents.get(above, 0)
            if above:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
