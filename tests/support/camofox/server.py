"""Start Camofox's server as a process, and send it HTTP requests."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from importlib.resources import files
from pathlib import Path
from typing import Any

import psutil

from support.camofox.install import MODULES, NODE, PACKAGE, Engine, firefox, require_camofox
from support.running import browser_here

_HOOKS = Path(__file__).with_name("hooks.mjs")
_STARTS_WITHIN_S = 60
_ENDS_WITHIN_S = 15
"""The server waits up to 10 s to close open tabs."""


class CamofoxServer:
    """A server on a loopback port, which stays the same after a restart."""

    def __init__(self, script: Path, folder: Path, environment: Mapping[str, str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._script = script
        self._log = folder / "server.log"
        ours = {
            "CAMOFOX_PORT": str(self.port), "CAMOFOX_BIND_HOST": "127.0.0.1",
            "CAMOFOX_CRASH_REPORT_ENABLED": "false", "TMPDIR": str(folder),
            **{f"CAMOFOX_{name}_DIR": str(folder / name.lower())
               for name in ("PROFILE", "COOKIES", "TRACES", "UPLOADS")},
        }  # fmt: skip
        theirs = {name: value for name, value in os.environ.items() if "CAMOFOX" not in name}
        self._environment = {**theirs, **ours, **environment}
        self.start()

    def start(self) -> None:
        """Start it, and wait until its browser runs.

        Raises:
            AssertionError: it did not start; with its log.
        """
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [NODE, "--import", _HOOKS.as_uri(), self._script], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, env=self._environment, cwd=self._script.parent,
            )  # fmt: skip
        limit = time.monotonic() + _STARTS_WITHIN_S
        while not self._runs():
            if self.process.poll() is not None or time.monotonic() > limit:
                self.kill()
                raise AssertionError(f"Camofox's server did not start:\n{self.log()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server like a service manager; its browser ends with it."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """Kill the server and its browser."""
        browsers = _children(self.process.pid)
        self.process.kill()
        self.process.wait()
        for pid in browsers:
            try:
                os.killpg(pid, signal.SIGKILL)  # Playwright makes each browser a group of its own
            except (ProcessLookupError, PermissionError):
                continue

    def restart(self) -> None:
        """Stop the server, and start it on the same port."""
        self.stop()
        self.start()

    def log(self) -> str:
        """The server's whole output."""
        return self._log.read_text(errors="replace")

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        timeout_s: float = 40,
    ) -> tuple[int, Any]:
        """One request: the status, and the answer's JSON, or its bytes if it is none.

        Raises:
            OSError: no connection, or no answer within the time.
        """
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, headers)
            answer = connection.getresponse()
            content = answer.read()
            is_json = answer.headers.get_content_type() == "application/json"
            return answer.status, json.loads(content) if is_json else content
        finally:
            connection.close()

    def _runs(self) -> bool:
        try:
            status, health = self.ask("GET", "/health", timeout_s=2)
        except OSError:
            return False
        return status == 200 and bool(health["browserRunning"])


@contextmanager
def camofox_server(
    engine: Engine = "chromium",
    *,
    plugin: bool = False,
    environment: Mapping[str, str] | None = None,
) -> Iterator[CamofoxServer]:
    """Camofox's server until the block ends.

    Args:
        engine: the browser in place of Camoufox.
        plugin: with Tabwarden's plugin in its plugin folder, in a copy of the package.
        environment: its variables (``CAMOFOX_ACCESS_KEY``, ``HANDLER_TIMEOUT_MS``).

    Raises:
        AssertionError: it is not installed, or did not start.
    """
    require_camofox(engine)
    path = firefox() if engine == "firefox" else browser_here().path
    chosen = {"CAMOFOX_TEST_ENGINE": engine, "CAMOFOX_TEST_EXECUTABLE": str(path)}
    # A short path, because the browser creates sockets in it.
    with tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        script = (_with_plugin(folder) if plugin else PACKAGE) / "server.js"
        server = CamofoxServer(script, folder, {**chosen, **(environment or {})})
        try:
            yield server
        finally:
            server.kill()  # stopping takes 10 s if a tab hangs


def _with_plugin(folder: Path) -> Path:
    """Create a copy of the package that has our plugin, enabled as its README says."""
    package = folder / "camofox-browser"
    shutil.copytree(PACKAGE, package)
    (package / "node_modules").symlink_to(MODULES)
    ours = str(files("tabwarden") / "integrations/camofox/plugin")
    shutil.copytree(ours, package / "plugins/tabwarden")
    config = package / "camofox.config.json"
    settings = json.loads(config.read_text())
    settings["plugins"]["tabwarden"] = {"enabled": True}
    config.write_text(json.dumps(settings))
    return package


def _children(pid: int) -> list[int]:
    process = psutil.Process(pid) if psutil.pid_exists(pid) else None
    return [child.pid for child in process.children()] if process else []
