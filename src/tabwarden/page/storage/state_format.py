"""Storage states as values: Playwright's storageState, with sessionStorage in addition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument
from tabwarden.protocol import network


class Item(msgspec.Struct, frozen=True):
    name: str
    value: str


class _Paths(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    name: str
    key_path: str | None = None
    key_path_array: list[str] | None = None


class Index(_Paths, frozen=True):
    multi_entry: bool = False
    unique: bool = False


class Store(_Paths, frozen=True):
    auto_increment: bool = False
    records: list[dict[str, Any]] = []
    indexes: list[Index] = []


class Database(msgspec.Struct, frozen=True):
    """A database of IndexedDB. Keys and values that JSON can't hold are in Playwright's encoding:
    ``keyEncoded``, ``valueEncoded``."""

    name: str
    version: int
    stores: list[Store] = []


class OriginState(msgspec.Struct, frozen=True):
    origin: str
    local_storage: list[Item] = msgspec.field(name="localStorage", default_factory=list)
    indexed_db: list[Database] = msgspec.field(name="indexedDB", default_factory=list)
    session_storage: list[Item] = msgspec.field(name="sessionStorage", default_factory=list)
    """Of one tab at this origin. Playwright's states don't have it, and Playwright ignores it."""


class StateCookie(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
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
    cookies: list[StateCookie] = msgspec.field(default_factory=list)
    origins: list[OriginState] = msgspec.field(default_factory=list)


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


def as_playwright(cookie: network.Cookie) -> dict[str, Any]:
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


def as_chromium(cookie: StateCookie) -> network.CookieParam:
    key = None
    if cookie.partition_key is not None:
        across = _is_across(cookie) if cookie.cross_site is None else cookie.cross_site
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


def _is_across(cookie: StateCookie) -> bool:
    """Whether a partitioned cookie belongs to another site than its partition, in which case frames
    of its site send it there. Other tools' states don't say."""
    host = cookie.domain.lstrip(".") or urlsplit(cookie.url or "").hostname or ""
    site = urlsplit(cookie.partition_key or "").hostname or ""
    return not f".{host.lower()}".endswith(f".{site}")


def _wrong(why: str) -> InvalidArgument:
    return InvalidArgument(
        f"This is not a storage state: {why}.",
        "It is {cookies: [{name, value, domain, path, ...}], origins: [{origin, localStorage: "
        "[{name, value}]}]}, as storage_state() and Playwright return it.",
        field="state",
    )
