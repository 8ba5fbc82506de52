"""Sync twin of ``tabwarden.browser.storage``: the same names, for code without an event loop.

Generated from browser/storage.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.config import state_folder
from tabwarden.files.inbox import is_in_inbox
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import Body, one_of
from tabwarden.page.storage import (
    clipboard,
    cookie_transfer,
    cookies,
    state_file,
    state_format,
    storage,
    storage_state,
)
from tabwarden.sync.base import BrowserBase


class StorageMethods(BrowserBase):
    """Methods that read and change what a browser stores."""

    def _state_folder(self, name: object) -> Path:
        """The folder of a state: for a path in the inbox of commands, that inbox."""
        inboxes = [one for one in self._task.lent_folders if is_in_inbox(one)]
        is_copy = isinstance(name, str) and is_in_inbox(name)
        return inboxes[0] if inboxes and is_copy else state_folder(self._config)

    @journaled
    def cookies(
        self,
        mode: Literal["list", "set", "delete", "clear", "load", "save"] = "list",
        *,
        url: str | None = None,
        domain: str | None = None,
        name: str | None = None,
        value: str | None = None,
        path: str | None = None,
        expires: float | None = None,
        secure: bool | None = None,
        http_only: bool | None = None,
        same_site: Literal["Strict", "Lax", "None"] | None = None,
        values: bool = False,
        filename: str | None = None,
        text: str | None = None,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        """List, set or delete the cookies of the tab's browser context, even if the page hangs.

        ``value`` is a list of ``{"name", "domain", "path", "expires", "secure", "http_only",
        "same_site", "size"}``, or ``{"deleted": n}``, ``{"cookies": n, "domains": [...]}`` for
        load, or ``{"cookies": n, "path"}`` for save.

        Args:
            mode: list or delete the matching cookies, set one cookie, clear all cookies, load the
                cookies of a file, or save the matching ones.
            url: only the cookies that the browser would send to this URL. For set: a URL of the
                cookie's site. With neither ``url`` nor ``domain``, the page's site gets the cookie.
            domain: only cookies of this domain and its subdomains. For set: a cookie for
                ``.example.com`` is also sent to subdomains, a cookie for ``example.com`` is not.
            name: only cookies with this name.
            value, path, secure, http_only, same_site: for set.
            expires: for set, in seconds since the epoch; by default a session cookie.
            values: also list the values, which are secrets.
            filename: for load and save, a name in ``state_dir``. Save writes a Netscape cookie file
                (``.txt``). Load also reads storage states and curl commands.
            text: for load, instead of ``filename``: the content of such a file, such as a command
                that Chrome's developer tools copied (``curl 'https://...' -b 'a=1'``).
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the cookie is not valid, the call does not say which cookies, or the
                file is none of these. Denied: the name leads outside the folder.
        """
        one_of("mode", mode, cookies.MODES)
        task, wanted = self._task, cookies.CookieFilter(url, domain, name)
        given = cookies.Details(path, expires, secure, http_only, same_site)
        cookies.check_mode(mode, wanted, value, given)
        task.vault.check(value, "value")
        source = cookie_transfer.checked_source(mode, wanted, filename, text)
        body: Body = partial(
            cookies.cookies, mode=mode, wanted=wanted, value=value, details=given, values=values
        )
        if source is not None:
            folder = self._state_folder(source.filename)
            body = self._engine.run_sync(cookie_transfer.transfer(folder, mode, source, wanted))
        return self._perform_without_page(cookies.COOKIES, body, tab_id, timeout_ms)

    @journaled
    def storage(
        self,
        mode: Literal["get", "set", "delete", "clear"] = "get",
        *,
        area: Literal["local", "session"] = "local",
        key: str | None = None,
        value: str | None = None,
        values: bool = False,
        frame_id: str | None = None,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[Any]:
        """Read or change the web storage of the page's origin.

        ``value`` is ``{"area", "origin", "items": [{"name", "value"}]}``, or ``{"deleted": n}``.

        Args:
            mode: get one item or list all, set or delete one item, or clear all.
            area: ``local`` for localStorage, or ``session`` for this tab's sessionStorage.
            key: the item. Without it, get lists all items, with lengths instead of values.
            value: for set.
            values: also list the values, which may be secrets.
            frame_id: use the origin of this frame instead of the page's.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: a parameter that the mode needs is missing.
            NotSupported: the document has no storage, or its storage is full.
            FrameNotFound: the frame does not exist.
        """
        one_of("mode", mode, ("get", "set", "delete", "clear"))
        one_of("area", area, ("local", "session"))
        storage.checked_storage(mode, key, value)
        return self._perform(
            storage.READ_STORAGE if mode == "get" else storage.STORAGE,
            lambda call: storage.web_storage(
                call,
                mode=mode,
                area=area,
                key=key,
                value=value,
                values=values,
                frame_id=frame_id,
            ),
            tab_id,
            timeout_ms,
        )

    @journaled
    def storage_state(
        self,
        *,
        origins: Sequence[str] = (),
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> dict[str, Any]:
        """Return all cookies and the localStorage of the origins that the task has visited, in the
        form of Playwright's ``storageState``. It contains secrets, such as logins.

        ``{"cookies": [...], "origins": [{"origin", "localStorage": [{"name", "value"}]}]}``

        To read an origin that no tab shows, Tabwarden opens an empty helper page under that origin,
        without a request to the site.

        Args:
            origins: more origins to read (``https://host``).
            tab_id: a tab in the browser context to read; the active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: one of ``origins`` is not an origin.
        """
        named = state_format.checked_origins(origins)
        budget = self._budget("storage_state", timeout_ms)
        return self._engine.run_sync(storage_state.perform_read(self._task, budget, named, tab_id))

    @journaled
    def save_storage_state(
        self,
        filename: str,
        *,
        origins: Sequence[str] = (),
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.StateFile]:
        """Save ``storage_state()`` in a file that only this user can read; ``value`` is
        ``{"path", "cookies": n, "origins": [...]}``.

        Args:
            filename: a name in the folder of saved states (``state_dir`` of the configuration).
            origins: more origins to read (``https://host``).
            tab_id: a tab in the browser context to read; the active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            Denied: the name leads outside the folder. InvalidArgument: the file can't be written.
        """
        path = state_file.state_path(self._state_folder(filename), filename)
        named = state_format.checked_origins(origins)
        return self._perform_without_page(
            storage_state.STORAGE_STATE,
            lambda call: state_file.save(call, path, named),
            tab_id,
            timeout_ms,
        )

    @journaled
    def load_storage_state(
        self,
        state: str | Mapping[str, Any],
        *,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.StateFile]:
        """Restore cookies and localStorage, before or after visiting the sites; ``value`` is
        ``{"cookies": n, "origins": [...]}``.

        Existing cookies and items stay, unless the state has an entry for them. To write
        localStorage, Tabwarden opens an empty helper page, without a request to the sites.

        Args:
            state: the result of ``storage_state()``, a state from Playwright, or the name of a
                file in the folder of saved states.
            tab_id: a tab in the browser context to change; the active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: ``state`` is not valid. Denied: the name leads outside the folder.
        """
        folder = self._state_folder(state)
        budget = self._budget("storage_state", timeout_ms)
        wanted = self._engine.run_sync(state_file.given(folder, state))
        return self._perform_without_page(
            storage_state.STORAGE_STATE,
            lambda call: storage_state.load(call, wanted),
            tab_id,
            budget,
        )

    @journaled
    def clipboard(
        self,
        mode: Literal["read", "write"] = "read",
        text: str | None = None,
        *,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        """Read or write the clipboard, as text; ``value`` is ``{"text", "chars"}``.

        The clipboard belongs to the browser, not to a task: all tabs and contexts of a browser
        share it. A browser with a window shares the desktop's clipboard; a headless browser that
        Tabwarden launched has a separate one. Tabwarden uses a helper page, so the agent's page
        notices nothing and needs no permission.

        Args:
            mode: read or write.
            text: the text to write, at most a million characters.
            tab_id: a tab in the browser context to use; the active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the text to write is missing or too long.
            NotSupported: the browser rejects clipboard access.
        """
        one_of("mode", mode, ("read", "write"))
        clipboard.checked(mode, text)
        return self._perform_without_page(
            clipboard.CLIPBOARD, lambda call: clipboard.clipboard(call, text), tab_id, timeout_ms
        )
