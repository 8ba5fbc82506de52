"""List, set, delete or clear the cookies of the tab's browser context.

The browser process does the work, so the actions succeed even if a dialog is open or the page
hangs.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from tabwarden.egress.origins import origin_of
from tabwarden.errors import InvalidArgument
from tabwarden.page.call import between
from tabwarden.page.task import Call, Done
from tabwarden.protocol import Command, network, storage
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CommandRefused, Race
from tabwarden.vault import names_in

_NAME = re.compile(r"^[^\x00-\x20\x7f;=,]+\Z")
_VALUE = re.compile(r"^[^\x00-\x1f\x7f;]*\Z")
_DOMAIN = re.compile(r"^\.?(\[[0-9a-fA-F:.]+\]|[^\s/:;,\[\]]+)\Z")
_LATEST_EXPIRY_S = 1e12
"""The maximum expiry time, in seconds since the epoch. The browser itself limits cookies to about
400 days."""
_SAME_SITE = ("Strict", "Lax", "None")


class CookieFilter(NamedTuple):
    url: str | None = None
    """Only cookies that the browser would send to this URL."""
    domain: str | None = None
    """Only cookies for this domain and its subdomains."""
    name: str | None = None


class Details(NamedTuple):
    """A cookie's other attributes. None has the same effect as an attribute that a server omits."""

    path: str | None = None
    expires: float | None = None
    """The expiry time in seconds since the epoch. None keeps the cookie until the browser exits."""
    secure: bool | None = None
    http_only: bool | None = None
    same_site: str | None = None


def check_mode(mode: str, wanted: CookieFilter, value: str | None, details: Details) -> None:
    """Raise ``InvalidArgument`` if the mode lacks an argument or does not accept it."""
    if mode == "set":
        if wanted.name is None or value is None:
            field = "name" if wanted.name is None else "value"
            raise InvalidArgument(f"mode 'set' needs a {field}.", field=field)
        _checked(wanted, value, details)
        return
    if value is not None or details != Details():
        field = (
            "value"
            if value is not None
            else next(name for name, detail in details._asdict().items() if detail is not None)
        )
        raise InvalidArgument(
            f"{field} works only with mode 'set', not with {mode!r}.", field=field
        )
    if mode == "delete" and wanted == CookieFilter():
        raise InvalidArgument(
            "mode 'delete' needs `name`, `domain` or `url`.",
            "To delete all cookies, use mode='clear'.",
            field="name",
        )
    if mode == "clear" and wanted != CookieFilter():
        raise InvalidArgument(
            "mode 'clear' deletes all cookies, so it accepts no `name`, `domain` or `url`.",
            "To delete only some cookies, use mode='delete'.",
            field="mode",
        )
    if wanted.url is not None and not _is_web(wanted.url):
        raise _wrong("url", wanted.url, "an http(s) URL")


async def done(
    call: Call,
    mode: str,
    wanted: CookieFilter,
    value: str | None,
    details: Details,
    *,
    values: bool,
) -> Any:
    """Run a mode that needs no file. Results include cookie values only if ``values`` is true."""
    match mode:
        case "set":
            return await _set(call, wanted, value or "", details)
        case "delete":
            return await _delete(call.race, call.tab, wanted)
        case "clear":
            return await _clear(call.race, call.tab)
        case _:
            listed = await matching(call.race, call.tab, wanted)
            return [_described(cookie, values=values) for cookie in listed]


async def _set(call: Call, wanted: CookieFilter, value: str, details: Details) -> Done:
    """Set a cookie. If both ``url`` and ``domain`` are None, use the page in the tab."""
    if wanted.url is None and wanted.domain is None:
        url = call.task.tab(call.tab.tab_id).url
        if not _is_web(url):
            raise InvalidArgument(
                f"A cookie belongs to a site, but tab {call.tab.tab_id} shows no site.",
                "Give url or domain.",
                field="url",
            )
        wanted = wanted._replace(url=url)
    if names_in(value):
        value, details = _filled(call, wanted, value, details)
    await put(call.race, call.tab, [_checked(wanted, value, details)])
    named = await matching(
        call.race, call.tab, CookieFilter(domain=wanted.domain, name=wanted.name)
    )
    host = (urlsplit(wanted.url).hostname or "") if wanted.url is not None else None
    stored = [one for one in named if host is None or one.domain.lstrip(".") == host]
    if not stored:
        return Done(
            [],
            "The browser accepted the cookie but did not keep it, because it has already expired.",
        )
    return Done([_described(one, values=False) for one in stored])


def _filled(call: Call, wanted: CookieFilter, value: str, details: Details) -> tuple[str, Details]:
    """Fill secrets into a cookie. Only the secrets' own origin may receive the cookie. So the
    cookie is limited to one host, and to https if the origin uses https."""
    if wanted.url is None:
        raise InvalidArgument(
            "A cookie with a secret needs a url. With a domain, it would be sent to other sites "
            "too.",
            "Give url=https://host/ instead of domain.",
            field="domain",
        )
    origin = origin_of(wanted.url) or ""
    value = call.task.vault.fill(value, origin, "value")
    return value, details._replace(secure=True) if origin.startswith("https:") else details


async def _delete(race: Race, tab: Tab, wanted: CookieFilter) -> dict[str, Any]:
    doomed = await matching(race, tab, wanted)
    requests = [
        race.start(
            network.DeleteCookies(
                name=cookie.name,
                domain=cookie.domain,
                path=cookie.path,
                partition_key=cookie.partition_key or msgspec.UNSET,
            ),
            tab.session_id,
        )
        for cookie in doomed
    ]
    for one in requests:
        await race.result(one)
    return {"deleted": len(doomed)}


async def _clear(race: Race, tab: Tab) -> dict[str, Any]:
    before = await all_cookies(race, tab)
    cleared = storage.ClearCookies(browser_context_id=_context(tab))
    await _call(race, tab, cleared, network.ClearBrowserCookies())
    return {"deleted": len(before)}


async def put(race: Race, tab: Tab, cookies: list[network.CookieParam]) -> None:
    """Set all cookies. If one cookie is invalid, set none and raise ``InvalidArgument``."""
    try:
        command = storage.SetCookies(cookies=cookies, browser_context_id=_context(tab))
        await _call(race, tab, command, network.SetCookies(cookies=cookies))
    except CommandRefused as refused:
        names = ", ".join(repr(cookie.name) for cookie in cookies[:5])
        raise InvalidArgument(
            f"The browser refused the cookies ({names}): {refused.error.message}.",
            "secure=false can't be combined with an https-only prefix (__Secure-, __Host-) or "
            "same_site='None'. For a __Host- cookie, give url, not domain.",
            field="cookies",
        ) from None


async def all_cookies(race: Race, tab: Tab) -> list[network.Cookie]:
    """Return all cookies of a tab's browser context."""
    command = storage.GetCookies(browser_context_id=_context(tab))
    reply = await _call(race, tab, command, network.GetAllCookies())
    cookies: list[network.Cookie] = reply.cookies
    return cookies


async def _call(race: Race, tab: Tab, command: Command[Any], in_tab: Command[Any]) -> Any:
    """Send a command to the browser's session, because a tab's session would use the default
    context. Applications that embed Chromium may not know the context that they report for a tab
    (CEF 131, QtWebEngine 6.12). There, send ``in_tab`` to the tab's session.
    """
    try:
        return await race.call(command, None)
    except CommandRefused as refused:
        if "Failed to find browser context" not in refused.error.message:
            raise
        return await race.call(in_tab, tab.session_id)


def _context(tab: Tab) -> Any:
    return tab.browser_context_id or msgspec.UNSET


def _checked(wanted: CookieFilter, value: str, details: Details) -> network.CookieParam:
    name, url, domain = wanted.name or "", wanted.url, wanted.domain
    if not _NAME.match(name):
        raise _wrong("name", name, "a name without spaces, '=' or ';'")
    if not _VALUE.match(value):
        raise InvalidArgument("value must not contain ';' or control characters.", field="value")
    if url is not None and domain is not None:
        raise InvalidArgument("Give url or domain, not both.", field="domain")
    if url is not None and not _is_web(url):
        raise _wrong("url", url, "an http(s) URL")
    if domain is not None and not _DOMAIN.match(str(domain)):
        raise _wrong("domain", domain, "a host name, such as example.com or .example.com")
    if details.path is not None and not str(details.path).startswith("/"):
        raise _wrong("path", details.path, "a path that begins with '/'")
    if details.expires is not None:
        between("expires", details.expires, -1, _LATEST_EXPIRY_S)
    if details.same_site is not None and details.same_site not in _SAME_SITE:
        raise _wrong("same_site", details.same_site, f"one of {', '.join(_SAME_SITE)}")
    return network.CookieParam(
        name=name,
        value=value,
        url=url,
        domain=domain,
        path=details.path if details.path is not None else "/",
        expires=details.expires,
        secure=details.secure,
        http_only=details.http_only,
        same_site=details.same_site,
    )


def _is_web(url: object) -> bool:
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _wrong(field: str, value: object, wanted: str) -> InvalidArgument:
    return InvalidArgument(f"{field} must be {wanted}, not {str(value)[:200]!r}.", field=field)


async def matching(race: Race, tab: Tab, wanted: CookieFilter) -> list[network.Cookie]:
    """Return the matching cookies of a tab's browser context, sorted."""
    if wanted.url is not None:
        sent = await race.call(network.GetCookies(urls=[wanted.url]), tab.session_id)
        candidates = sent.cookies
    else:
        candidates = await all_cookies(race, tab)
    matching = [
        cookie
        for cookie in candidates
        if wanted.name in (None, cookie.name) and is_below(cookie.domain, wanted.domain)
    ]
    return sorted(matching, key=lambda c: (c.domain.lstrip("."), c.path, c.name))


def is_below(domain: str, wanted: str | None) -> bool:
    """Whether a cookie's domain is ``wanted`` or one of its subdomains."""
    if wanted is None:
        return True
    host, above = domain.lower().lstrip("."), str(wanted).lower().lstrip(".")
    return host == above or host.endswith(f".{above}")


def _described(cookie: network.Cookie, *, values: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": cookie.name,
        "domain": cookie.domain,
        "path": cookie.path,
        "expires": None if cookie.session else cookie.expires,
        "secure": cookie.secure,
        "http_only": cookie.http_only,
        "same_site": cookie.same_site,
        "size": cookie.size,
    }
    if cookie.partition_key is not None:
        fields["partitioned_under"] = cookie.partition_key.top_level_site
    if values:
        fields["value"] = cookie.value
    return fields
