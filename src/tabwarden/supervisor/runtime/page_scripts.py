"""The scripts that a supervisor adds to pages, under names that no page can guess.

The core gets the scripts as values, because it reads no files and draws no random numbers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import cache
from importlib import resources

from tabwarden.supervisor.core.handlers import bridge_of, programs_of
from tabwarden.supervisor.core.state.policy import Bridge, BridgeMode, NotesScript


def fresh_bridge(mode: BridgeMode = BridgeMode.AUTO, family: bytes | None = None) -> Bridge | None:
    """Create one supervisor's bridge; return None if dialogs stay native. ``family`` is the secret
    that lets supervisors recognize each other's bridges. With None, only this supervisor recognizes
    the bridge."""
    if mode is BridgeMode.NATIVE:
        return None
    return bridge_of(
        mode, _source("dialogs.js"), family or secrets.token_bytes(32), secrets.token_hex(16)
    )


def fresh_notes() -> NotesScript:
    """Create the script that reports notes from pages, with a new binding."""
    binding = f"_{secrets.token_hex(16)}"
    return NotesScript(binding, _source("notes.js").replace("__BINDING__", binding))


def fresh_programs(allowed: Iterable[str]) -> NotesScript:
    """Create the script that keeps pages from opening other programs, except with these schemes."""
    return programs_of(_source("programs.js"), f"_{secrets.token_hex(16)}", allowed)


@cache
def _source(name: str) -> str:
    return (resources.files("tabwarden.supervisor.runtime") / "js" / name).read_text("utf-8")
