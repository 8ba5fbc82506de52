"""``CDPSupervisor``: one task's browser with the methods of Hermes Agent's supervisor."""

from __future__ import annotations

import threading
from typing import Any
from urllib.parse import urlsplit

from tabwarden.config import load_config
from tabwarden.errors import BrowserGone, NotOpen, TabwardenError
from tabwarden.integrations.hermes.api.pages import PAGES
from tabwarden.integrations.hermes.api.snapshot import (
    ConsoleEvent,
    DialogRecord,
    Json,
    PendingDialog,
    SupervisorSnapshot,
    frame_tree,
)
from tabwarden.integrations.hermes.dialect import RuntimeValue, runtime_value
from tabwarden.supervisor.core import SupervisorSnapshot as State
from tabwarden.supervisor.core.state.policy import DialogPolicy
from tabwarden.sync import Browser

DIALOG_POLICY_MUST_RESPOND = "must_respond"
DIALOG_POLICY_AUTO_DISMISS = "auto_dismiss"
DIALOG_POLICY_AUTO_ACCEPT = "auto_accept"
DEFAULT_DIALOG_POLICY = DIALOG_POLICY_MUST_RESPOND
DEFAULT_DIALOG_TIMEOUT_S = 300.0
DEFAULT_START_S = 15.0


class CDPSupervisor:
    """Supervises one task's page in a running browser. Any thread may call any method.

    The task works on its own page: the first page that no other task in this process has claimed,
    or else a new page. The methods report failures as Hermes does: ``{"ok": False, "error": ...}``.

    Args:
        task_id: the task's name.
        cdp_url: ``http(s)://`` or ``ws(s)://`` address of the browser.
        dialog_policy: ``must_respond``, ``auto_dismiss`` or ``auto_accept``.
        dialog_timeout_s: after this many seconds, an unanswered dialog is dismissed.

    Raises:
        ValueError: ``dialog_policy`` is not one of these values.
    """

    def __init__(
        self,
        task_id: str,
        cdp_url: str,
        *,
        dialog_policy: str = DEFAULT_DIALOG_POLICY,
        dialog_timeout_s: float = DEFAULT_DIALOG_TIMEOUT_S,
    ) -> None:
        known = [str(policy) for policy in DialogPolicy]
        if dialog_policy not in known:
            raise ValueError(
                f"Invalid dialog_policy {dialog_policy!r}; must be one of {', '.join(known)}."
            )
        self.task_id = task_id
        self.cdp_url = cdp_url
        self.dialog_policy = dialog_policy
        self.dialog_timeout_s = float(dialog_timeout_s)
        self._browser: Browser | None = None
        self._page = threading.Lock()

    def start(self, timeout: float = DEFAULT_START_S) -> None:
        """Connect and claim a page. A second call does nothing.

        Args:
            timeout: limit in seconds.

        Raises:
            EndpointUnreachable: no browser responds at ``cdp_url``.
            BudgetExceeded: the browser did not become ready in time.
        """
        if self._browser is not None:
            return
        config = load_config().browser.model_copy(
            update={
                "dialog_policy": self.dialog_policy,
                "dialog_timeout_s": self.dialog_timeout_s,
                "dialog_bridge": "debugger",  # as in Hermes: every dialog stays open and readable
            }
        )
        self._browser = Browser.connect(
            self.cdp_url,
            context="shared",
            task_id=f"hermes/{self.task_id}",
            config=config,
            timeout_ms=timeout * 1000,
        )
        try:
            self._own_page()
        except TabwardenError:
            self.stop()
            raise

    def stop(self, timeout: float = 5.0) -> None:
        """Disconnect. The browser and its pages stay open.

        Args:
            timeout: limit in seconds, after which disconnecting continues in the background.
        """
        browser, self._browser = self._browser, None
        PAGES.release(self)
        if browser is not None:
            try:
                browser.close(timeout_ms=timeout * 1000)
            except TabwardenError:  # the task continues on its own
                return

    # -- reading -----------------------------------------------------------------------------

    @property
    def is_active(self) -> bool:
        """Whether the supervisor has a browser that is still running."""
        state = self._state()
        return state is not None and state.health.status != "gone"

    def snapshot(self) -> SupervisorSnapshot:
        """Return the current state. Never waits."""
        state = self._state()
        if state is None:
            return SupervisorSnapshot(self.task_id, self.cdp_url, active=False)
        own = PAGES.of(self)
        others = PAGES.of_others(self)
        return SupervisorSnapshot(
            self.task_id,
            self.cdp_url,
            active=state.health.status != "gone",
            pending_dialogs=tuple(
                PendingDialog.of(one)
                for one in state.pending_dialogs
                if one.target_id not in others
            ),
            recent_dialogs=tuple(
                DialogRecord.of(one) for one in state.recent_dialogs if one.target_id not in others
            ),
            frame_tree=frame_tree(state, _tab_id(state, own) or ""),
            console_errors=tuple(
                ConsoleEvent(one.at, one.level, one.text, one.url or None)
                for one in state.console_errors
            ),
            page_target_id=own,
        )

    def page_target_id(self) -> str | None:
        """Return the CDP target of the task's page; None if it was closed."""
        return PAGES.of(self) if self._state() is not None else None

    def resolve_target_session(self, target_id: str) -> str | None:
        """Return the CDP session of a page or an out-of-process frame; None if there is none."""
        state = self._state()
        for session in state.sessions.values() if state is not None else ():
            if session.target_id == target_id:
                return session.session_id
        return None

    # -- acting ------------------------------------------------------------------------------

    def respond_to_dialog(
        self,
        action: str,
        *,
        prompt_text: str | None = None,
        dialog_id: str | None = None,
        timeout: float = 10.0,
    ) -> Json:
        """Accept or dismiss an open dialog.

        Args:
            action: ``accept`` or ``dismiss``.
            prompt_text: the text for a prompt, by default empty. Other dialogs ignore it.
            dialog_id: which dialog to handle, if several are open.
            timeout: limit in seconds.

        Returns:
            ``{"ok": True, "dialog": {...}}``, or ``{"ok": False, "error": ...}``.
        """
        if action not in ("accept", "dismiss"):
            return _failed(f"action must be 'accept' or 'dismiss', not {action!r}.")
        if not self.is_active:
            return _failed("The supervisor is not active.")
        pending = self.snapshot().pending_dialogs
        named = [one for one in pending if dialog_id in (None, one.id)]
        ids = ", ".join(one.id for one in pending)
        if not pending:
            return _failed("There is no dialog to answer: no dialog is open.")
        if not named:
            return _failed(f"Dialog {dialog_id!r} was not found. Open dialogs: {ids}.")
        if len(named) > 1:
            return _failed(f"{len(named)} dialogs are open: pass dialog_id ({ids}).")
        dialog = named[0]
        text = (prompt_text or "") if dialog.type == "prompt" and action == "accept" else None
        try:
            self._opened().dialog(
                "accept" if action == "accept" else "dismiss",
                text,
                dialog_id=dialog.id,
                timeout_ms=timeout * 1000,
            )
        except TabwardenError as error:
            return _failed(_words(error))
        return {"ok": True, "dialog": dialog.to_dict()}

    def evaluate_runtime(
        self,
        expression: str,
        *,
        return_by_value: bool = True,
        await_promise: bool = True,
        timeout: float = 10.0,
    ) -> Json:
        """Run JavaScript in the task's page. A script that hangs is stopped.

        Args:
            expression: the script.
            return_by_value: whether to return the value as JSON, or else only its description.
            await_promise: whether to wait for a promise.
            timeout: limit in seconds.

        Returns:
            ``{"ok": True, "result": value, "result_type": typeof}``, or ``{"ok": False, "error":
            ...}``. Elements are ``{}``, and ``Infinity`` is ``"Infinity"``.
        """
        try:
            browser, tab_id = self._opened(), self._own_page()
            if return_by_value and await_promise:
                done = browser.evaluate(expression, tab_id=tab_id, timeout_ms=timeout * 1000)
                if done.status == "interrupted":
                    return _failed(f"The script was interrupted: {done.next}")
                value = runtime_value(done.value)
            else:
                sent = browser.cdp(
                    "Runtime.evaluate",
                    {
                        "expression": expression,
                        "returnByValue": return_by_value,
                        "awaitPromise": await_promise,
                        "userGesture": True,
                    },
                    target_id=PAGES.of(self),
                    timeout_ms=timeout * 1000,
                )
                if "exceptionDetails" in sent.value:
                    return _failed(_thrown(sent.value["exceptionDetails"]))
                value = _described(sent.value["result"])
        except TabwardenError as error:
            return _failed(_words(error))
        return {"ok": True, "result": value.value, "result_type": value.type}

    def navigate_page(self, url: str, timeout: float = 30.0) -> Json:
        """Open a URL in the task's own page.

        Args:
            url: http(s), data or about:blank.
            timeout: limit in seconds.

        Returns:
            ``{"ok": True, "target_id", "frame_id", "url"}``, or ``{"ok": False, "error": ...}``.
        """
        try:
            tab_id = self._own_page()
            done = self._opened().goto(url, tab_id=tab_id, timeout_ms=timeout * 1000)
        except TabwardenError as error:
            return _failed(_words(error))
        top = self.snapshot().frame_tree["top"] or {}
        return {
            "ok": True,
            "target_id": PAGES.of(self),
            "frame_id": top.get("frame_id"),
            "url": done.url,
        }

    def focus_page(self, origin: str, *, accept: str | None = None, timeout: float = 10.0) -> Json:
        """Assign another open page to the task.

        Args:
            origin: ``scheme://host[:port]`` of the page; empty for any http(s) page.
            accept: a script that must be true in the page.
            timeout: limit in seconds for each page's script.

        Returns:
            ``{"ok": True, "url"}``; ``{"ok": False, "error": ...}`` if no page matches.
        """
        try:
            browser = self._opened()
            for tab in browser.state.tabs:
                if not _is_on(tab.url, origin) or tab.target_id in PAGES.of_others(self):
                    continue
                if accept is not None:
                    outcome = browser.evaluate(accept, tab_id=tab.tab_id, timeout_ms=timeout * 1000)
                    if not runtime_value(outcome.value).value:
                        continue
                PAGES.take(self, tab.target_id)
                return {"ok": True, "url": tab.url}
        except TabwardenError as error:
            return _failed(_words(error))
        return _failed(f"No page of {origin or 'any site'} is open.")

    def send_cdp(
        self, method: str, params: Json, *, session: str | None = None, timeout: float = 30.0
    ) -> Any:
        """Send one CDP command to a target (or to the task's page) and return its result.

        Args:
            session: the target's id; None for the task's page.
            timeout: limit in seconds.

        Raises:
            TabwardenError: see ``Browser.cdp``.
        """
        target_id = session or PAGES.of(self)
        sent = self._opened().cdp(method, params, target_id=target_id, timeout_ms=timeout * 1000)
        return sent.value

    # -- the page ----------------------------------------------------------------------------

    def _state(self) -> State | None:
        browser = self._browser
        try:
            return browser.state if browser is not None else None
        except NotOpen:  # stopped by another thread
            return None

    def _opened(self) -> Browser:
        browser = self._browser
        if browser is None:
            raise BrowserGone("The supervisor is not active.", "Start it again with get_or_start.")
        return browser

    def _own_page(self) -> str:
        """Return the tab with the task's page. If that page was closed, claim another page."""
        browser = self._opened()
        with self._page:
            state = browser.state
            tab_id = _tab_id(state, PAGES.of(self))
            if tab_id is not None:
                return tab_id
            taken = PAGES.take_first(self, [tab.target_id for tab in state.tabs])
            if taken is None:
                before = {tab.tab_id for tab in state.tabs}
                browser.tabs("open")
                new = next(tab for tab in browser.state.tabs if tab.tab_id not in before)
                PAGES.take(self, new.target_id)
                return new.tab_id
            return _tab_id(state, taken) or ""


def _tab_id(state: State, target_id: str | None) -> str | None:
    return next((tab.tab_id for tab in state.tabs if tab.target_id == target_id), None)


def _is_on(url: str, origin: str) -> bool:
    here, wanted = urlsplit(url), urlsplit(origin)
    if here.scheme not in ("http", "https"):
        return False
    return not origin or (here.scheme, here.netloc) == (wanted.scheme, wanted.netloc)


def _described(remote: Json) -> RuntimeValue:
    kind = str(remote.get("type", "undefined"))
    if "value" in remote:
        return RuntimeValue(remote["value"], kind)
    return RuntimeValue(remote.get("unserializableValue") or remote.get("description"), kind)


def _thrown(details: Json) -> str:
    thrown = details.get("exception") or {}
    return f"{details.get('text', 'Uncaught')}: {thrown.get('description', '')}".rstrip(": ")


def _words(error: TabwardenError) -> str:
    return f"{error.message} {error.hint}".strip()


def _failed(error: str) -> Json:
    return {"ok": False, "error": error}
