"""Storage state: cookies and localStorage, such as a login, in Playwright's storageState format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument
from tabwarden.page.call import value_without_page
from tabwarden.page.storage.cookies import get_cookies, put
from tabwarden.page.storage.origin_page import backstage
from tabwarden.page.task import ActionSpec, Call, Done, Task
from tabwarden.protocol import network
from tabwarden.supervisor import OriginsKnown

STORAGE_STATE = ActionSpec(name="storage_state", acts=False)


class _Item(msgspec.Struct, frozen=True):
    name: str
    value: str


class _Origin(msgspec.Struct, frozen=True):
    origin: str
    local_storage: list[_Item] = msgspec.field(name="localStorage", default_factory=list)


class _Cookie(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A cookie in Playwright's format. ``partition_key`` is the site of a partitioned cookie."""

    name: str
    value: str
    domain: str = ""
    path: str = "/"
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: Literal["Strict", "Lax", "None"] | None = None
    url: str | None = None
    partition_key: str | None = None
    cross_site: bool | None = msgspec.field(name="_crHasCrossSiteAncestor", default=None)


class StorageState(msgspec.Struct, frozen=True):
    cookies: list[_Cookie] = msgspec.field(default_factory=list)
    origins: list[_Origin] = msgspec.field(default_factory=list)


def checked_state(state: Mapping[str, Any]) -> StorageState:
    """Convert a mapping to a state. Raise ``InvalidArgument`` for a mapping that is not a state."""
    try:
        known = msgspec.convert(state, StorageState)
    except msgspec.ValidationError as error:
        raise _wrong(str(error)) from None
    for at, cookie in enumerate(known.cookies):
        if not cookie.domain and not cookie.url:
            raise _wrong(f"the cookie {cookie.name[:100]!r} has no domain - at `$.cookies[{at}]`")
    checked_origins([one.origin for one in known.origins])
    return known


def checked_origins(origins: Sequence[str]) -> list[str]:
    """Return a list of origins. Raise ``InvalidArgument`` if an entry is not an origin."""
    if isinstance(origins, str):
        raise InvalidArgument("origins must be a list.", field="origins")
    for origin in origins:
        meant = web_origin(origin) if isinstance(origin, str) else None
        if meant is None or meant != origin:
            raise InvalidArgument(
                f"{str(origin)[:200]!r} is not an origin in the form that browsers use.",
                f"Write {meant}."
                if meant is not None
                else "It looks like https://example.com, with no path and no '/' at the end.",
                field="origins",
            )
    return list(origins)


async def perform_read(
    task: Task, budget: Budget, origins: list[str], tab_id: str | None
) -> dict[str, Any]:
    """Return the storage state alone. The next action's result reports any news."""
    _, value = await value_without_page(
        task,
        STORAGE_STATE,
        budget,
        lambda call: read(call, origins),
        tab_id=tab_id,
    )
    state: dict[str, Any] = value
    return state


async def read(call: Call, more: list[str]) -> dict[str, Any]:
    """Return all cookies of the tab's context, and the localStorage of all visited origins."""
    asked = call.race.start(get_cookies(call.tab), None)
    visited = [*call.state.origins, *(frame.origin for frame in call.state.frames.values()), *more]
    origins = [one for one in dict.fromkeys(visited) if one.startswith(("http://", "https://"))]
    found = []
    if origins:
        async with backstage(call) as stage:
            for origin in origins:
                if not await stage.at(origin):
                    continue
                told = await stage.do("read")
                if told.get("origin") == origin and told["items"]:
                    found.append({"origin": origin, "localStorage": told["items"]})
    cookies = (await call.race.result(asked)).cookies
    return {"cookies": [_as_playwright(cookie) for cookie in cookies], "origins": found}


async def load(call: Call, state: StorageState) -> Done:
    """Load a state into the tab's browser context. Keep entries that are not in the state."""
    if state.cookies:
        await put(call.race, call.tab, [_as_chromium(cookie) for cookie in state.cookies])
    stored: list[str] = []
    missed: list[str] = []
    wanted = [one for one in state.origins if one.local_storage]
    if wanted:
        async with backstage(call) as stage:
            for one in wanted:
                items = msgspec.to_builtins(one.local_storage)
                told = await stage.do("store", items) if await stage.at(one.origin) else {}
                (stored if told.get("origin") == one.origin else missed).append(one.origin)
    call.task.supervisor.feed(OriginsKnown(tuple(stored)))
    value = {"cookies": len(state.cookies), "origins": stored}
    if not missed:
        return Done(value)
    return Done(
        {**value, "missed": missed},
        "The localStorage of some origins could not be written: it is full, or the browser "
        "redirects http to https.",
    )


def _as_playwright(cookie: network.Cookie) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "expires": -1 if cookie.session else cookie.expires,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site or "Lax",
    }
    if cookie.partition_key is not None:
        shown["partitionKey"] = cookie.partition_key.top_level_site
        shown["_crHasCrossSiteAncestor"] = cookie.partition_key.has_cross_site_ancestor
    return shown


def _as_chromium(cookie: _Cookie) -> network.CookieParam:
    key = None
    if cookie.partition_key is not None:
        across = True if cookie.cross_site is None else cookie.cross_site
        key = network.CookiePartitionKey(
            top_level_site=cookie.partition_key, has_cross_site_ancestor=across
        )
    return network.CookieParam(
        name=cookie.name,
        value=cookie.value,
        url=cookie.url,
        domain=cookie.domain or None,
        path=cookie.path,
        expires=None if cookie.expires < 0 else cookie.expires,
        http_only=cookie.http_only,
        secure=cookie.secure,
        same_site=cookie.same_site,
        partition_key=key,
    )


def _wrong(why: str) -> InvalidArgument:
    return InvalidArgument(
        f"This is not a storage state: {why}.",
        "It is {cookies: [{name, value, domain, path, ...}], origins: [{origin, localStorage: "
        "[{name, value}]}]}, as storage_state() and Playwright return it.",
        field="state",
    )
