"""Helpers to inspect processes that are not children of the test."""

from __future__ import annotations

import os
from pathlib import Path


def group_members(group: int) -> list[int]:
    """The running processes of a group, without zombies."""
    members = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, _, pgid = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:3]
            except OSError:
                continue
            if int(pgid) == group and state not in (b"Z", b"X"):
                members.append(int(folder.name))
    return members


def processes_naming(text: str) -> list[int]:
    """The processes with ``text`` in their command line, except this one."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if text.encode() in line:
                found.append(int(folder.name))
    return found


def browser_group(text: str) -> int:
    """The process group of the browser with ``text`` in its command line."""
    for pid in processes_naming(text):
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"--user-data-dir=" in line and os.getpgid(pid) == pid:
                return pid
        except OSError:
            continue
    return 0


def make_program(path: Path, text: str) -> Path:
    """Create an executable shell script."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path
