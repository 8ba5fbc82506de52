"""The next start removes files that a killed process left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.eventually import eventually

WRITES = """
import sys
from pathlib import Path
from tabwarden.files.download_folder import PartialFile
from tabwarden.endpoints.profiles.scratch import Scratch
from tabwarden.recording.folder import write_private
from tabwarden.recording.log import Spool
from tabwarden.surfaces.live.files import Uploads

base = Path(sys.argv[1])
uploads = Uploads()
upload = uploads.begin()
upload.begin("photo.txt")
upload.add(b"of a person")
node = Scratch.create("host-")
(node.folder / "put.txt").write_bytes(b"of a client")
files = [PartialFile(base / name) for name in ("down", "up", "out")]
files[0].write(b"half")
spool = Spool(base / "traces")
spool.add([{"type": "call"}], {"resources/a.jpeg": b"picture"})

def half(file):
    file.write(b"half a trace")
    print("ready", flush=True)
    sys.stdin.read()

write_private(base / "traces" / "a.zip", half)
"""
OPENS = """
import sys
from tabwarden.config import load_config
from tabwarden.sync import Browser

with Browser.launch(config=load_config(sys.argv[1] + "/config.json").browser):
    print("ready", flush=True)
    sys.stdin.read()
"""
FOLDERS = {"download_dir": "down", "upload_dir": "up", "output_dir": "out", "trace_dir": "traces"}


@contextmanager
def running(program: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A Python program that has reported that it is ready; it is killed at the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.communicate()


def left_in(folder: Path) -> list[str]:
    """Files that a program left below a folder, without folders that a user named."""
    purposes = ("tmp/tabwarden-upload-*", "tmp/tabwarden-host-*")
    patterns = (*purposes, *(f"{name}/*" for name in FOLDERS.values()))
    found = [path for pattern in patterns for path in folder.glob(pattern)]
    return sorted(str(path.relative_to(folder)) for path in found)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path, because browsers cannot use a long TMPDIR."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="sweep") as made:
        yield Path(made)


@pytest.mark.threat
def test_next_start_removes_files_that_a_killed_process_left(folder: Path) -> None:
    (folder / "tmp").mkdir()
    settings = {key: str(folder / name) for key, name in FOLDERS.items()}
    (folder / "config.json").write_text(json.dumps({"browser": settings}))
    with running(WRITES, folder) as writing:
        before = left_in(folder)
        assert len(before) == 7, before
        with running(OPENS, folder):
            eventually(lambda: [*(folder / "tmp").glob("tabwarden-*")])
        assert left_in(folder) == before, "the sweep removed a folder that is in use"
        writing.send_signal(signal.SIGKILL)
    assert left_in(folder) == before
    with running(OPENS, folder):
        eventually(lambda: not left_in(folder), why_not=lambda: left_in(folder))
