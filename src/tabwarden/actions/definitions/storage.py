"""Actions for stored data: cookies, web storage, saved states, and the clipboard."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.page.task import FrameId
from tabwarden.results import (
    ClipboardRead,
    ClipboardWritten,
    Cookie,
    CookieFile,
    Deleted,
    StateFile,
    Stored,
)

__all__: list[str] = []


@action(
    "browser_cookies",
    "cookies",
    permission="scripts",
    group="storage",
    gives=(list[Cookie], Deleted, CookieFile),
)
async def cookies(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["list", "set", "delete", "clear", "load", "save"],
        Field(description="delete: matching cookies; clear: all; load or save a cookie file."),
    ] = "list",
    url: Annotated[str | None, Field(description="Cookies that it gets.")] = None,
    domain: Annotated[str | None, Field(description="With its subdomains.")] = None,
    name: Annotated[str | None, Field(description="Only this name.")] = None,
    value: Annotated[str | None, Field(description="For set.")] = None,
    path: Annotated[str | None, Field(description="For set.")] = None,
    expires: Annotated[
        float | None,
        Field(description="Unix time in seconds."),
    ] = None,
    secure: Annotated[bool | None, Field(description="For set.")] = None,
    http_only: Annotated[bool | None, Field(description="For set.")] = None,
    same_site: Annotated[
        Literal["Strict", "Lax", "None"] | None, Field(description="For set.")
    ] = None,
    values: Annotated[bool, Field(description="Also list the values, which are secrets.")] = False,
    filename: Annotated[
        str | None,
        Field(description="For load and save: Netscape cookie file in the state folder."),
    ] = None,
    text: Annotated[
        str | None,
        Field(description="For load, instead of filename: a curl command or a cookie file's text."),
    ] = None,
    **common: Any,
) -> Any:
    """List, set, delete, load or save cookies, even while a dialog is open."""
    return await browser.cookies(
        mode,
        url=url,
        domain=domain,
        name=name,
        value=value,
        path=path,
        expires=expires,
        secure=secure,
        http_only=http_only,
        same_site=same_site,
        values=values,
        filename=filename,
        text=text,
        **common,
    )


@action("browser_storage", "storage", permission="scripts", group="storage", gives=Stored)
async def storage(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["get", "set", "delete", "clear"],
        Field(description="get without key lists all keys. clear deletes all."),
    ] = "get",
    area: Annotated[
        Literal["local", "session"], Field(description="localStorage or sessionStorage.")
    ] = "local",
    key: Annotated[str | None, Field(description="The item's key.")] = None,
    value: Annotated[str | None, Field(description="For set.")] = None,
    values: Annotated[
        bool, Field(description="Also list the values, which may be secrets.")
    ] = False,
    frame_id: FrameId = None,
    **common: Any,
) -> Any:
    """Read or change localStorage or sessionStorage of the page's origin."""
    return await browser.storage(
        mode, area=area, key=key, value=value, values=values, frame_id=frame_id, **common
    )


@action("browser_storage_state", "state", permission="files", group="storage", gives=StateFile)
async def storage_state(
    browser: Browser,
    *,
    mode: Annotated[Literal["save", "load"], Field(description="To or from the file.")],
    filename: Annotated[str, Field(description="File name in the state folder.")],
    **common: Any,
) -> Any:
    """Keep logins: save all cookies and the visited sites' storage to a file, or load one (also
    from Playwright, a .txt cookie file, or a curl command) before opening the site. It contains
    secrets."""
    if mode == "save":
        return await browser.save_storage_state(filename, **common)
    return await browser.load_storage_state(filename, **common)


@action(
    "browser_clipboard",
    "clipboard",
    permission="act",
    group="storage",
    idempotent=True,
    open_world=False,
    gives=(ClipboardRead, ClipboardWritten),
)
async def clipboard(
    browser: Browser,
    *,
    mode: Annotated[Literal["read", "write"], Field(description="What to do.")] = "read",
    text: Annotated[str | None, Field(description="For write.")] = None,
    **common: Any,
) -> Any:
    """Read or write the clipboard's text, which all tabs share."""
    return await browser.clipboard(mode, text, **common)
