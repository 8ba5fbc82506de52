"""Merge storage states, so that tasks with the same state name keep all logins."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from typing import Any

PARTS = ("localStorage", "indexedDB", "sessionStorage")
State = Mapping[str, Any]


def merged(
    base: State, ours: State, theirs: State, unread: Set[tuple[str, str]], now_s: float
) -> dict[str, Any]:
    """Return the state to save: ``theirs`` with all changes from ``base`` to ``ours``, including
    deletions.

    Each cookie, passkey, and part of an origin's storage is merged as a whole. If both ``ours`` and
    ``theirs`` changed a part, ``ours`` wins, because it is newer.

    Args:
        base: the state as this task last read or saved it.
        ours: the browser's current state.
        theirs: the file's current state.
        unread: pairs of an origin and a part that could not be read. These parts stay as they are
            in ``theirs``.
        now_s: the time, in seconds since 1970. Expired cookies are left out.
    """
    cookies = _over(_cookies(base), _cookies(ours), _cookies(theirs))
    parts = _over(_parts(base, unread), _parts(ours, unread), _parts(theirs))
    passkeys = _over(_passkeys(base), _passkeys(ours), _passkeys(theirs))
    origins: dict[str, dict[str, Any]] = {}
    for (origin, part), value in parts.items():
        origins.setdefault(origin, {"origin": origin, "localStorage": []})[part] = value
    return {
        "cookies": [one for one in cookies.values() if not 0 <= one.get("expires", -1) < now_s],
        "origins": list(origins.values()),
        **({"passkeys": list(passkeys.values())} if passkeys else {}),
    }


def _over(
    base: Mapping[Any, Any], ours: Mapping[Any, Any], theirs: Mapping[Any, Any]
) -> dict[Any, Any]:
    result = dict(theirs)
    for key in {**base, **ours}:
        if ours.get(key) == base.get(key):
            continue
        if key in ours:
            result[key] = ours[key]
        else:
            result.pop(key, None)
    return result


def _cookies(state: State) -> dict[Hashable, dict[str, Any]]:
    by = ("name", "domain", "partitionKey", "_crHasCrossSiteAncestor")
    return {
        (one.get("path", "/"), *(one.get(key) for key in by)): one
        for one in state.get("cookies", ())
    }


def _passkeys(state: State) -> dict[str, dict[str, Any]]:
    return {one["credentialId"]: one for one in state.get("passkeys", ())}


def _parts(state: State, unread: Set[tuple[str, str]] = frozenset()) -> dict[tuple[str, str], Any]:
    return {
        (one["origin"], part): one[part]
        for one in state.get("origins", ())
        for part in PARTS
        if one.get(part) and (one["origin"], part) not in unread
    }
