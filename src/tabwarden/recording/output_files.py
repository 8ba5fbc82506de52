"""Output files: writes a trace in each form that was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO

from tabwarden.recording.folder import new_path, write_private
from tabwarden.recording.har import har_of
from tabwarden.recording.playwright_trace import write_zip
from tabwarden.recording.settings import Settings
from tabwarden.recording.trace import Trace
from tabwarden.recording.video import write_video


def write_trace(trace: Trace, path: Path) -> None:
    """Write a trace as a zip file that Playwright's viewer opens."""
    write_private(path, lambda file: write_zip(trace, file))


def write_har(trace: Trace, path: Path) -> None:
    """Write the requests of a trace as a HAR file."""
    text = json.dumps(har_of(trace), indent=1)
    write_private(path, lambda file: _text(file, text))


def write_asked_for(trace: Trace, settings: Settings) -> None:
    """Write the files of a task that was recorded from its start."""
    task = str(trace.about["task"])
    if settings.record is not None:
        write_trace(trace, new_path(settings.record, task, "recorded"))
    if settings.har is not None:
        write_har(trace, _own(settings.har, task))
    if settings.video is not None:
        path = _own(settings.video, task)
        form = path.suffix.removeprefix(".")
        write_private(path, lambda file: write_video(trace, file, form))


_given: dict[Path, str] = {}
"""The task that each file of this process was given to."""


def _own(path: Path, task: str) -> Path:
    """Return a task's own path: the second task of a process must not replace the first's file."""
    if _given.setdefault(path, task) == task:
        return path
    return path.with_stem(f"{path.stem}-{task}")


def _text(file: IO[bytes], text: str) -> None:
    file.write(text.encode())
