"""The bridge's script: its source with a name, an address, a key and a word that no page can guess.

All of them follow from one random number and the family's secret, so that whoever knows the secret
can tell a bridge of another supervisor by its name and hash alone; a page that got to see a name
can't make up a source that goes with it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from functools import cache, lru_cache
from importlib import resources

from tabwarden.supervisor.policy import Bridge, BridgeMode

__all__ = ["fresh_bridge", "is_kin", "may_be_bridge"]

_NAME = re.compile(r"([0-9a-f]{32})\.js")
_REPORTED = re.compile(rb'"[0-9a-f]{32}\.js"')


def fresh_bridge(mode: BridgeMode = BridgeMode.AUTO, family: bytes | None = None) -> Bridge | None:
    """A bridge for one supervisor; None where dialogs are to stay native.

    Args:
        mode: how dialogs wait.
        family: the secret of those that know each other's bridges; left out: nobody knows it.
    """
    if mode is BridgeMode.NATIVE:
        return None
    return _bridge(mode, family or secrets.token_bytes(32), secrets.token_hex(16))


def may_be_bridge(params: bytes) -> bool:
    """Whether a ``Debugger.scriptParsed`` may be of a bridge, ours or another supervisor's: told
    without decoding it."""
    return _REPORTED.search(params) is not None


def is_kin(bridge: Bridge, name: str, sha256: str) -> bool:
    """Whether a script of this name and hash is a bridge of the same family, which pauses."""
    number = _NAME.fullmatch(name)
    return number is not None and sha256 == _hash_of(bridge.family, number[1])


@lru_cache(256)
def _hash_of(family: bytes, number: str) -> str:
    return _bridge(BridgeMode.DEBUGGER, family, number).sha256


def _bridge(mode: BridgeMode, family: bytes, number: str) -> Bridge:
    name = f"{number}.js"
    # Should nobody hold it, a request to this port fails at once, before any name is looked up
    # (net/base/port_util.cc).
    url = f"https://{_derived(family, number, 'host')}.invalid:1/"
    key = _derived(family, number, "key")
    word = _derived(family, number, "word")
    script = (
        _script()
        .replace("__PAUSES__", json.dumps(mode is not BridgeMode.XHR))
        .replace("__URL__", json.dumps(url))
        .replace("__KEY__", json.dumps(key))
        .replace("__WORD__", json.dumps(word))
    )
    source = f"{script}//# sourceURL={name}\n"
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    return Bridge(
        mode=mode,
        name=name,
        source=source,
        sha256=sha256,
        url=url,
        key=key,
        word=word,
        family=family,
    )


def _derived(family: bytes, number: str, what: str) -> str:
    return hmac.new(family, f"{what} {number}".encode(), hashlib.sha256).hexdigest()[:32]


@cache
def _script() -> str:
    return (resources.files("tabwarden.supervisor") / "js" / "dialogs.js").read_text("utf-8")
