"""Read and restore cookies and the sites' storage. Both contain logins."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from tabwarden.page.storage import session_storage
from tabwarden.page.storage.cookies import all_cookies, put
from tabwarden.page.storage.origin_page import Backstage, backstage
from tabwarden.page.storage.state_format import (
    OriginState,
    StorageState,
    as_chromium,
    as_playwright,
)
from tabwarden.page.task import ActionSpec, Call, Done
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.state.inputs import OriginsKnown, PasskeysKnown
from tabwarden.supervisor.core.state.passkeys import Passkey

STORAGE_STATE = ActionSpec(name="storage_state", acts=False)

_NO_WORD = 8
"""A shorter cookie value may be a common word, so it is not masked."""
_WEB = ("http://", "https://")


class Reading(NamedTuple):
    """A storage state that was read, with a list of the parts that could not be read."""

    state: dict[str, Any]
    unread: frozenset[tuple[str, str]]
    """Pairs of an origin and the part that could not be read: localStorage, indexedDB or
    sessionStorage."""
    notes: tuple[str, ...]
    """Messages about missing IndexedDB data, for people."""


async def read(call: Call, more: list[str], *, indexed_db: bool = True) -> Reading:
    """Read all cookies of the tab's context, and the storage of all visited origins.

    Args:
        call: the call, with the tab and the time limit.
        more: additional origins to read.
        indexed_db: whether to read IndexedDB, which may be large.
    """
    cookies = await all_cookies(call.race, call.tab)
    session_items = await session_storage.read(call)
    visited = [*call.state.origins, *(frame.origin for frame in call.state.frames.values()), *more]
    origins = [one for one in dict.fromkeys(visited) if one.startswith(_WEB)]
    stored: dict[str, dict[str, Any]] = {origin: {"origin": origin} for origin in origins}
    unread = {(one, "sessionStorage") for one in origins if one not in session_items}
    notes: list[str] = []
    if origins:
        async with backstage(call) as stage:
            for origin in origins:
                await _read_origin(stage, stored[origin], unread, notes, indexed_db=indexed_db)
                if session_items.get(origin):
                    stored[origin]["sessionStorage"] = session_items[origin]
    state = {
        "cookies": [as_playwright(cookie) for cookie in cookies],
        "origins": [{"localStorage": [], **one} for one in stored.values() if len(one) > 1],
    }
    if passkeys := call.state.passkeys:
        state["passkeys"] = [msgspec.to_builtins(one.credential) for one in passkeys]
    return Reading(state, frozenset(unread), tuple(notes))


async def read_cookies(call: Call) -> list[dict[str, Any]]:
    """Return all cookies of the tab's context."""
    return [as_playwright(one) for one in await all_cookies(call.race, call.tab)]


async def load_cookies(call: Call, state: StorageState) -> Done:
    """Set a state's cookies, without its storage."""
    await put(call.race, call.tab, [as_chromium(one) for one in state.cookies])
    call.task.journal.secrets.add(one.value for one in state.cookies if len(one.value) >= _NO_WORD)
    domains = {one.domain.lstrip(".") or urlsplit(one.url or "").hostname for one in state.cookies}
    return Done({"cookies": len(state.cookies), "domains": sorted(filter(None, domains))})


async def load(call: Call, state: StorageState) -> Done:
    """Load a state into the tab's browser context. Keep entries that are not in the state."""
    if state.cookies:
        await put(call.race, call.tab, [as_chromium(cookie) for cookie in state.cookies])
    stored: list[str] = []
    missed: dict[str, str] = {}
    wanted = [one for one in state.origins if one.local_storage or one.indexed_db]
    if wanted:
        async with backstage(call) as stage:
            for one in wanted:
                why = await _write_origin(stage, one)
                if why:
                    missed[one.origin] = why
                else:
                    stored.append(one.origin)
    by_session = {
        one.origin: msgspec.to_builtins(one.session_storage)
        for one in state.origins
        if one.session_storage
    }
    await session_storage.put_back(call, by_session)
    stored += [one for one in by_session if one not in (*stored, *missed)]
    call.task.supervisor.feed(OriginsKnown(tuple(stored)))
    value = {"cookies": len(state.cookies), "origins": stored}
    if state.passkeys:
        call.task.supervisor.feed(PasskeysKnown(tuple(map(Passkey, state.passkeys))))
        value["passkeys"] = len(state.passkeys)
    if not missed:
        return Done(value)
    return Done(
        {**value, "missed": list(missed)},
        "The storage of some origins could not be written: "
        + "; ".join(f"{origin}: {why}" for origin, why in missed.items())
        + ".",
    )


async def _read_origin(
    stage: Backstage,
    stored: dict[str, Any],
    unread: set[tuple[str, str]],
    notes: list[str],
    *,
    indexed_db: bool,
) -> None:
    origin = stored["origin"]
    arrived = await stage.at(origin)
    reply = await stage.do("read") if arrived else {}
    if reply.get("origin") != origin:
        unread |= {(origin, "localStorage"), (origin, "indexedDB")}
        return
    if reply["items"]:
        stored["localStorage"] = reply["items"]
    if not indexed_db:
        unread.add((origin, "indexedDB"))
        return
    reply = await stage.do("read", script="indexed_db.js")
    if reply.get("origin") != origin:
        unread.add((origin, "indexedDB"))
        return
    if reply["failed"]:
        unread.add((origin, "indexedDB"))
        notes.append(f"Databases of {origin} could not be read ({_reasons(reply['failed'])}).")
    if reply["lost"]:
        notes.append(
            f"{reply['lost']} records in databases of {origin} were left out, because they contain "
            "objects that JSON can't represent, such as keys that can't be exported."
        )
    if reply["databases"]:
        stored["indexedDB"] = reply["databases"]


async def _write_origin(stage: Backstage, one: OriginState) -> str:
    """Write an origin's storage. Return the reason if writing failed; otherwise ""."""
    if not await stage.at(one.origin):
        return "the browser redirects http to https"
    if one.local_storage:
        reply = await stage.do("store", msgspec.to_builtins(one.local_storage))
        if reply.get("origin") != one.origin:
            return f"localStorage: {reply.get('error', 'no response')}"
    if one.indexed_db:
        databases = msgspec.to_builtins(one.indexed_db)
        reply = await stage.do("write", databases, script="indexed_db.js")
        failed = reply.get("failed", {"IndexedDB": reply.get("error", "no answer")})
        return _reasons(failed)
    return ""


def _reasons(failed: dict[str, str]) -> str:
    return ", ".join(f"{quoted(name[:60])}: {why}" for name, why in list(failed.items())[:5])
