"""The bridge's script: its source, with a name, a URL, a key and a cookie name that no page can
guess.

All of these derive from one random number and the shared secret. So a program that has the secret
recognizes another supervisor's bridge by its name and hash alone. A page that sees the name can't
create a source with the matching hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from functools import lru_cache

from tabwarden.supervisor.core.state import Bridge, BridgeMode

_NAME = re.compile(r"([0-9a-f]{32})\.js")
_REPORTED = re.compile(rb'"[0-9a-f]{32}\.js"')


def may_be_bridge(params: bytes) -> bool:
    """Whether a ``Debugger.scriptParsed`` event, still encoded, may be about any supervisor's
    bridge."""
    return _REPORTED.search(params) is not None


def is_bridge(bridge: Bridge, name: str, sha256: str, target_id: str) -> bool:
    """Whether a script with this name and hash, in a document of this target, is our bridge or
    another program's with the same secret."""
    number = _NAME.fullmatch(name)
    if number is None:
        return False
    return sha256 == _hash_of(bridge.template, bridge.family, number[1], target_id)


def source_in(bridge: Bridge, target_id: str) -> str:
    """Return the bridge's source for one target. If two targets of a process had the same source,
    V8 would compile it once and report it to the debugger of only one of them."""
    return f"{bridge.source}// {target_id.encode().hex()}\n"


@lru_cache(256)
def _hash_of(template: str, family: bytes, number: str, target_id: str) -> str:
    """Return the SHA-256 of a bridge's source for one target, as V8 reports it."""
    source = source_in(bridge_of(BridgeMode.DEBUGGER, template, family, number), target_id)
    return hashlib.sha256(source.encode()).hexdigest()


def bridge_of(mode: BridgeMode, template: str, family: bytes, number: str) -> Bridge:
    """Derive the bridge from the shared secret (``family``) and 32 random hexadecimal digits
    (``number``). ``template`` is the source of ``js/dialogs.js``."""
    name = f"{number}.js"
    # If nobody intercepts a request to this port, it fails at once, before any name lookup
    # (net/base/port_util.cc).
    url = f"https://{_derived(family, number, 'host')}.invalid:1/"
    key = _derived(family, number, "key")
    word = _derived(family, number, "word")
    script = (
        template.replace("__PAUSES__", json.dumps(mode is not BridgeMode.XHR))
        .replace("__URL__", json.dumps(url))
        .replace("__KEY__", json.dumps(key))
        .replace("__WORD__", json.dumps(word))
    )
    source = f"{script}//# sourceURL={name}\n"
    return Bridge(
        mode=mode,
        template=template,
        name=name,
        source=source,
        url=url,
        key=key,
        word=word,
        family=family,
    )


def _derived(family: bytes, number: str, what: str) -> str:
    return hmac.new(family, f"{what} {number}".encode(), hashlib.sha256).hexdigest()[:32]
