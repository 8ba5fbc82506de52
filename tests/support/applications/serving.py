"""An application's server, from its start to the end of the block."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.eventually import eventually

__all__ = ["free_port", "serving"]

_STARTS_WITHIN_S = 90
_ENDS_WITHIN_S = 10


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextmanager
def serving(
    command: Sequence[str | Path],
    url: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Run a server in ``folder`` until the block ends; yield ``url`` once it answers there."""
    log = folder / "server.log"
    with log.open("wb") as told:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=told, stderr=told,
            env={**os.environ, **(environment or {})}, start_new_session=True,
        )  # fmt: skip
    try:
        eventually(
            lambda: process.poll() is not None or _answers(url),
            within_s=_STARTS_WITHIN_S, why_not=log.read_text,
        )  # fmt: skip
        assert process.poll() is None, log.read_text()
        yield url
    finally:
        _end(process)


def _answers(url: str) -> bool:
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the server and all processes in its process group."""
    for which in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, which)
            try:
                process.wait(_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                continue
