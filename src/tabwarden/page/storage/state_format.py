"""Storage states as values: Playwright's storageState format, extended by sessionStorage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from tabwarden.egress.origins import web_origin
from tabwarden.errors import InvalidArgument
from tabwarden.protocol import network, web_authn


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
    """An IndexedDB database. Keys and values that JSON can't represent use Playwright's encoding:
    ``keyEncoded``, ``valueEncoded``."""

    name: str
    version: int
    stores: list[Store] = []


class OriginState(msgspec.Struct, frozen=True):
    origin: str
    local_storage: list[Item] = msgspec.field(name="localStorage", default_factory=list)
    indexed_db: list[Database] = msgspec.field(name="indexedDB", default_factory=list)
    session_storage: list[Item] = msgspec.field(name="sessionStorage", default_factory=list)
    """The sessionStorage of one tab at this origin. Playwright neither writes nor reads it."""


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
    passkeys: list[web_authn.Credential] = msgspec.field(default_factory=list)
    """The task's passkeys with their private keys. Playwright neither writes nor reads them."""


def checked_state(state: Mapping[str, Any]) -> StorageState:
    """Convert a mapping to a state. Raise ``InvalidArgument`` if the mapping is not a state."""
    try:
        known = msgspec.convert(state, StorageState)
    except msgspec.ValidationError as error:
        raise _wrong(str(error)) from None
    for at, cookie in enumerate(known.cookies):
        if not cookie.domain and not cookie.url:
            raise _wrong(f"cookie {cookie.name[:100]!r} at `$.cookies[{at}]` has no domain")
    checked_origins([one.origin for one in known.origins])
    return known


def checked_origins(origins: Sequence[str]) -> list[str]:
    """Return a list of origins. Raise ``InvalidArgument`` if an entry is not an origin."""
    if isinstance(origins, str):
        raise InvalidArgument("origins must be a list.", field="origins")
    for origin in origins:
        normalized = web_origin(origin) if isinstance(origin, str) else None
        if normalized is None or normalized != origin:
            raise InvalidArgument(
                f"{str(origin)[:200]!r} is not a valid origin.",
                f"Write {normalized}."
                if normalized is not None
                else "An origin looks like https://example.com, without a path or trailing '/'.",
                field="origins",
            )
    return list(origins)


def as_playwright(cookie: network.Cookie) -> dict[str, Any]:
    fields: dict[str, Any] = {
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
        fields["partitionKey"] = cookie.partition_key.top_level_site
        fields["_crHasCrossSiteAncestor"] = cookie.partition_key.has_cross_site_ancestor
    return fields


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
    """Whether a partitioned cookie's site differs from its partition's site, so that cross-site
    frames use the cookie. Other tools' states don't store this."""
    host = cookie.domain.lstrip(".") or urlsplit(cookie.url or "").hostname or ""
    site = urlsplit(cookie.partition_key or "").hostname or ""
    return not f".{host.lower()}".endswith(f".{site}")


def _wrong(why: str) -> InvalidArgument:
    return InvalidArgument(
        f"This is not a storage state: {why}.",
        "A state is {cookies: [{name, value, domain, path, ...}], origins: [{origin, localStorage: "
        "[{name, value}]}]}, as storage_state() and Playwright return it.",
        field="state",
    )
