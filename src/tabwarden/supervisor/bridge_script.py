"""The bridge's script: its source with a name, an address and a key that no page can guess."""

from __future__ import annotations

import hashlib
import json
import secrets
from functools import cache
from importlib import resources

from tabwarden.supervisor.policy import Bridge, BridgeMode

__all__ = ["fresh_bridge"]


def fresh_bridge(mode: BridgeMode = BridgeMode.AUTO) -> Bridge | None:
    """A bridge for one supervisor; None where dialogs are to stay native."""
    if mode is BridgeMode.NATIVE:
        return None
    name = f"{secrets.token_hex(16)}.js"
    # Should nobody hold it, a request to this port fails at once, before any name is looked up
    # (net/base/port_util.cc).
    url = f"https://{secrets.token_hex(16)}.invalid:1/"
    key = secrets.token_hex(16)
    script = (
        _script()
        .replace("__PAUSES__", json.dumps(mode is not BridgeMode.XHR))
        .replace("__URL__", json.dumps(url))
        .replace("__KEY__", json.dumps(key))
    )
    source = f"{script}//# sourceURL={name}\n"
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    return Bridge(mode=mode, name=name, source=source, sha256=sha256, url=url, key=key)


@cache
def _script() -> str:
    return (resources.files("tabwarden.supervisor") / "js" / "dialogs.js").read_text("utf-8")
