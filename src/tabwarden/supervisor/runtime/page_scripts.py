"""The scripts that a supervisor adds to pages, under names that no page can guess.

The core gets the scripts as values, because it reads no files and draws no random numbers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import cache
from importlib import resources

from tabwarden.supervisor.core.handlers import bridge_of, programs_of
from tabwarden.supervisor.core.state.policy import Bridge, BridgeMode, NotesScript, PromptsScript


def fresh_bridge(mode: BridgeMode = BridgeMode.AUTO, family: bytes | None = None) -> Bridge | None:
    """Create one supervisor's bridge; return None if dialogs stay native. ``family`` is the secret
    that lets supervisors recognize each other's bridges. With None, only this supervisor recognizes
    the bridge."""
    if mode is BridgeMode.NATIVE:
        return None
    return bridge_of(
        mode, _source("dialogs.js"), family or secrets.token_bytes(32), secrets.token_hex(16)
    )


def fresh_notes(*, is_ours: bool, is_unseen: bool) -> NotesScript:
    """Create the script that reports notes from pages, with a new binding. The parameters are those
    of ``fresh_prompts``."""
    binding = f"_{secrets.token_hex(16)}"
    source = _source("notes.js").replace("__BINDING__", binding)
    return NotesScript(binding, _with_flags(source, is_ours=is_ours, is_unseen=is_unseen))


def fresh_prompts(*, is_ours: bool, is_unseen: bool) -> PromptsScript:
    """Create the script that keeps prompts waiting in pages.

    Args:
        is_ours: only the agent uses the browser, so that its passkeys are the task's.
        is_unseen: nobody sees the browser's windows, so decline the requests that open one.
    """
    binding, event = f"_{secrets.token_hex(16)}", secrets.token_hex(16)
    source = _source("prompts.js").replace("__BINDING__", binding).replace("__EVENT__", event)
    source = _with_flags(source, is_ours=is_ours, is_unseen=is_unseen)
    return PromptsScript(binding, source, event, is_ours)


def _with_flags(source: str, **flags: bool) -> str:
    """Return a script with its flags, such as ``__OURS__`` for ``is_ours``."""
    for name, value in flags.items():
        source = source.replace(f"__{name.removeprefix('is_').upper()}__", str(value).lower())
    return source


def fresh_programs(allowed: Iterable[str]) -> NotesScript:
    """Create the script that keeps pages from opening other programs, except with these schemes."""
    return programs_of(_source("programs.js"), f"_{secrets.token_hex(16)}", allowed)


@cache
def _source(name: str) -> str:
    return (resources.files("tabwarden.supervisor.runtime") / "js" / name).read_text("utf-8")
