"""The ``cookies`` action, and loading cookies from files and saving them to files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.page.storage import state_file
from tabwarden.page.storage.cookie_files import state_of
from tabwarden.page.storage.cookies import CookieFilter, Details, check_mode, done, matching
from tabwarden.page.storage.state_format import as_playwright
from tabwarden.page.storage.storage_state import load_cookies
from tabwarden.page.task import Call, Done, card
from tabwarden.results import Cookie, CookieFile, Deleted


def _check_source(mode: str, wanted: CookieFilter, filename: str | None, text: str | None) -> None:
    """Check the source or destination of the cookies.

    Raises:
        InvalidArgument: a parameter is missing or does not fit the mode.
    """
    if mode not in ("load", "save"):
        for field, argument in (("filename", filename), ("text", text)):
            if argument is not None:
                raise InvalidArgument(
                    f"{field} works only with mode 'load' or 'save', not with {mode!r}.",
                    field=field,
                )
        return
    if mode == "save" and text is not None:
        raise InvalidArgument("`text` works only with mode 'load'.", "Give filename.", field="text")
    if (filename is None) == (text is None):
        which = "filename" if mode == "save" else "filename or text"
        raise InvalidArgument(f"mode {mode!r} needs {which}.", field="filename")
    if mode == "load" and wanted != CookieFilter():
        raise InvalidArgument(
            "mode 'load' loads all cookies in the file.",
            "Omit `url`, `domain` and `name`.",
            field="mode",
        )


async def _save(call: Call, filename: str, wanted: CookieFilter) -> Done:
    path = state_file.state_path(state_file.folder_of(call.task, filename), filename)
    if "." not in Path(filename).name:
        path = path.with_suffix(".txt")
    if not state_file.is_cookie_file(path):
        raise InvalidArgument(
            f"{path.name!r} is not a cookie file name.",
            "Use the extension .txt. To also save the sites' storage (.json), save the storage "
            "state instead.",
            field="filename",
        )
    saved = [as_playwright(one) for one in await matching(call.race, call.tab, wanted)]
    return await state_file.save_cookies(call, path, saved)


@card(
    "cookies",
    about="List, set, delete, load or save cookies, even while a dialog is open.",
    permission="scripts",
    group="storage",
    gives=(list[Cookie], Deleted, CookieFile),
    shows=False,
    acts=False,
    without_page=True,
)
async def cookies(
    call: Call,
    mode: Annotated[
        Literal["list", "set", "delete", "clear", "load", "save"],
        Field(
            description="delete: delete matching cookies; clear: delete all; load, save: use a "
            "cookie file."
        ),
    ] = "list",
    *,
    url: Annotated[str | None, Field(description="Only cookies for this URL.")] = None,
    domain: Annotated[
        str | None, Field(description="Only cookies for this domain and its subdomains.")
    ] = None,
    name: Annotated[str | None, Field(description="Only cookies with this name.")] = None,
    value: Annotated[str | None, Field(description="For set.")] = None,
    path: Annotated[str | None, Field(description="For set.")] = None,
    expires: Annotated[
        float | None,
        Field(description="For set: Unix time in seconds."),
    ] = None,
    secure: Annotated[bool | None, Field(description="For set.")] = None,
    http_only: Annotated[bool | None, Field(description="For set.")] = None,
    same_site: Annotated[
        Literal["Strict", "Lax", "None"] | None, Field(description="For set.")
    ] = None,
    values: Annotated[bool, Field(description="Also list the values, which are secrets.")] = False,
    filename: Annotated[
        str | None,
        Field(description="For load and save: a Netscape cookie file in the state folder."),
    ] = None,
    text: Annotated[
        str | None,
        Field(
            description="For load: a curl command or a cookie file's content, instead of "
            "`filename`."
        ),
    ] = None,
) -> Any:
    """List, set or delete the cookies of the tab's browser context, even if the page hangs.

    ``value`` is a list of ``{"name", "domain", "path", "expires", "secure", "http_only",
    "same_site", "size"}``. For delete and clear, it is ``{"deleted": n}``; for load,
    ``{"cookies": n, "domains": [...]}``; for save, ``{"cookies": n, "path"}``.

    Args:
        mode: list or delete the matching cookies, set one cookie, clear all cookies, load the
            cookies from a file, or save the matching cookies.
        url: only the cookies that the browser would send to this URL. For set: a URL on the
            cookie's site. With neither ``url`` nor ``domain``, the cookie is for the page's
            site.
        domain: only cookies for this domain and its subdomains. For set: a cookie for
            ``.example.com`` is also sent to subdomains, a cookie for ``example.com`` is not.
        name: only cookies with this name.
        value, path, secure, http_only, same_site: for set.
        expires: for set, in seconds since the epoch. By default, it is a session cookie.
        values: also list the values, which are secrets.
        filename: for load and save, a name in ``state_dir``. Save writes a Netscape cookie file
            (``.txt``). Load also reads storage states and curl commands.
        text: for load, instead of ``filename``: the content of a cookie file or storage state,
            or a command that Chrome's developer tools copied (``curl 'https://...' -b 'a=1'``).

    Raises:
        InvalidArgument: the cookie is invalid, the call does not say which cookies to delete,
            or the file has none of these formats. Denied: ``filename`` is outside the folder.
    """
    wanted, details = (
        CookieFilter(url, domain, name),
        Details(path, expires, secure, http_only, same_site),
    )
    check_mode(mode, wanted, value, details)
    call.task.vault.check(value, "value")
    _check_source(mode, wanted, filename, text)
    if mode == "save":
        return await _save(call, filename or "", wanted)
    if mode == "load" and text is not None:
        return await load_cookies(call, state_of(text, "text", "the text"))
    if mode == "load":
        folder = state_file.folder_of(call.task, filename)
        return await load_cookies(call, await state_file.given(folder, filename or ""))
    return await done(call, mode, wanted, value, details, values=values)
