"""Sync twin of ``tabwarden.browser.navigation``: the same names, for code without an event loop.

Generated from browser/navigation.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.errors import Disabled
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import one_of
from tabwarden.page.navigation import navigate, tabs, wait
from tabwarden.page.snapshot import Show
from tabwarden.sync.base import BrowserBase


class NavigationMethods(BrowserBase):
    """Methods that load pages, switch tabs, and wait."""

    @journaled
    def goto(
        self,
        url: str,
        *,
        wait_until: navigate.WaitUntil = "load",
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Open a URL and wait until the page has loaded.

        Args:
            url: http(s), data or about:blank; a bare host gets https.
            wait_until: how far the page must have loaded: ``commit`` (the new document exists),
                ``load``, ...
            tab_id: which tab; by default the active tab, or a new one if no tab is open.
            snapshot, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: ``url`` is not a URL. Denied: the policy forbids its scheme.
            PageUnreachable: no server answers. BadCertificate: the browser does not trust it.
        """
        one_of("wait_until", wait_until, ("commit", "domcontentloaded", "load", "networkidle"))
        wanted = navigate.checked_url(url, allow_file_urls=self._config.allow_file_urls)
        return self._perform(
            navigate.GOTO if wait_until in ("load", "networkidle") else navigate.GOTO_EARLY,
            lambda call: navigate.goto(call, wanted, wait_until=wait_until),
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def back(
        self,
        *,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Go back in the tab's history.

        Args:
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the history has no earlier page.
            DialogPending: a dialog blocks the page.
            BudgetExceeded: the page did not load in time.
        """
        return self._perform(
            navigate.BACK,
            lambda call: navigate.back_or_forward(call, -1),
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def forward(
        self,
        *,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Go forward in the tab's history.

        Args:
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the history has no later page.
            DialogPending: a dialog blocks the page.
            BudgetExceeded: the page did not load in time.
        """
        return self._perform(
            navigate.FORWARD,
            lambda call: navigate.back_or_forward(call, 1),
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def reload(
        self,
        *,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[None]:
        """Load the page again; this also revives a crashed tab.

        Args:
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            DialogPending: a dialog blocks the page.
            BudgetExceeded: the page did not load in time.
        """
        return self._perform(
            navigate.RELOAD,
            navigate.reload,
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    def tabs(
        self,
        mode: Literal["list", "open", "close", "switch"] = "list",
        *,
        tab_id: str | None = None,
        tab_index: int | None = None,
        url: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[list[results.Tab]]:
        """List, open, close or switch tabs; ``value`` is the list of tabs afterwards.

        Args:
            mode: list, open, close or switch.
            tab_id: the tab to close or switch to. Close uses the active tab by default.
            tab_index: the tab's position in the list, from 0, instead of ``tab_id``.
            url: the URL to open.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the tab does not exist, or a parameter does not fit the mode.
        """
        one_of("mode", mode, ("list", "open", "close", "switch"))
        wanted = None
        if url is not None:
            wanted = navigate.checked_url(url, allow_file_urls=self._config.allow_file_urls)
        task, budget = self._task, self._budget("tabs", timeout_ms)
        spec = tabs.LIST_TABS if mode == "list" else tabs.TABS
        work = partial(
            tabs.perform_tabs, task, budget, mode, tab_id=tab_id, tab_index=tab_index, url=wanted
        )
        closing = tab_id if mode == "close" else None
        return self._in_turn(task.turns.enter(spec, closing), budget, work)

    @journaled
    def wait(
        self,
        time_s: float | None = None,
        *,
        text: str | None = None,
        text_gone: str | None = None,
        selector: str | None = None,
        url: str | None = None,
        load_state: Literal["domcontentloaded", "load", "networkidle"] | None = None,
        script: str | None = None,
        frame_id: str | None = None,
        ref: str | None = None,
        state: Literal["visible", "hidden", "gone", "enabled", "disabled"] | None = None,
        has_text: str | None = None,
        any_of: Sequence[Mapping[str, Any]] | None = None,
        download: bool | str = False,
        filename: str | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Waited]:
        """Wait for one condition. ``value`` is ``{"waited_ms"}``, plus the ``frame_id`` that shows
        the text, the ``ref`` of the element, the ``download``, in the form that ``state`` uses, or
        the script's ``frame_id`` and ``value``.

        Args:
            time_s: wait this many seconds; must be less than the timeout.
            text: wait until a frame shows this text, ignoring case and the amount of white space.
            text_gone: wait until no frame shows this text.
            selector: wait until a frame shows an element that matches this CSS selector.
            url: wait until the tab's URL contains this text. If the text contains ``*`` (a
                wildcard), the whole URL must match it.
            load_state: wait until the page has loaded this far.
            script: wait until this JavaScript is true: an expression, a function, or statements
                with ``return``. Promises are awaited, and an error ends the wait. The page looks
                whenever it draws; if it navigates, the wait goes on in the new document.
            frame_id: with ``script``: the frame to run in; by default the main frame.
            ref: wait for this element: until it is visible, or has ``state`` and ``has_text``.
            state: with ``ref``; ``gone`` means no longer in the page, and a hidden element may be
                gone. Also with ``selector``: until no element matches (``gone``), or none that is
                visible (``hidden``).
            has_text: with ``ref``: until the element contains this text, ignoring case and the
                amount of white space.
            any_of: wait for the first of several conditions, each a mapping of the parameters
                above, such as ``[{"text": "Done"}, {"ref": "e3", "state": "enabled"}]``. ``value``
                then also has the ``index`` of the condition that became true, and the
                ``condition``.
            download: wait until a download that a page started has ended, successfully or not
                (``status``). True means the first download that no ``wait`` has returned yet; it
                may have started or ended before this call. A name (``dl-3``) means the first
                download after ``dl-3``.
            filename: with ``download``: a plain name for the file.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the caller passed no condition, several, or an invalid one.
            JsError: ``script`` threw.
            StaleRef: the element of ``ref`` is gone, so it can't get this state.
            Disabled: you gave ``script``, but the configuration switches scripts off
                (``evaluate_enabled``).
            BudgetExceeded: the condition was not met in time.
        """
        condition = wait.condition_of(
            time_s=time_s,
            text=text,
            text_gone=text_gone,
            selector=selector,
            url=url,
            load_state=load_state,
            script=script,
            frame_id=frame_id,
            ref=ref,
            state=state,
            has_text=has_text,
            any_of=any_of,
            download=download or None,
            filename=filename,
        )
        if condition.runs_script and not self._config.evaluate_enabled:
            raise Disabled(
                "Scripts are switched off by the configuration.",
                "Wait for text or a selector.",
                field="script",
            )
        return self._perform(
            wait.WAIT,
            lambda call: wait.wait(call, condition),
            self._task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )
