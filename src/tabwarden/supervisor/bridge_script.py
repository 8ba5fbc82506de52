"""The bridge's script: its source with a name that no page can guess."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from importlib import resources

from tabwarden.supervisor.state import Bridge

__all__ = ["fresh_bridge"]


def fresh_bridge() -> Bridge:
    """A bridge for one supervisor."""
    name = f"{secrets.token_hex(16)}.js"
    source = f"{_script()}//# sourceURL={name}\n"
    return Bridge(name=name, source=source, sha256=hashlib.sha256(source.encode()).hexdigest())


@cache
def _script() -> str:
    return (resources.files("tabwarden.supervisor") / "js" / "dialogs.js").read_text("utf-8")
