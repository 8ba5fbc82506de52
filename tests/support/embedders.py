"""Applications that embed Chromium, with an open debugging port."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from support.eventually import eventually
from tabwarden.sync import Browser

__all__ = ["Attach", "Start", "running_application"]

Start = Callable[..., str]
"""Starts an application that shows this body of a page; returns the endpoint."""
Attach = Callable[..., Browser]
"""The same; returns the attached browser."""


@contextmanager
def running_application(
    command: list[str | Path], folder: Path, settings: dict[str, str]
) -> Iterator[str]:
    """Run an application; return its endpoint. Its log and its profile are in ``folder``."""
    folder = Path(tempfile.mkdtemp(dir=folder))
    log = folder / "application.log"
    environment = {**os.environ, "HOME": str(folder), **settings}
    with (
        log.open("w") as output,
        subprocess.Popen(
            command, stdout=output, stderr=output, env=environment, start_new_session=True
        ) as process,
    ):

        def endpoint() -> str:
            assert process.poll() is None, log.read_text()[-2000:]
            return log.read_text().partition("DevTools listening on ws://")[2].partition("/")[0]

        try:
            yield eventually(endpoint, within_s=60)
        finally:
            os.killpg(process.pid, 9)
