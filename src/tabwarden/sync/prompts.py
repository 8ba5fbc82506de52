"""Sync twin of ``tabwarden.browser.prompts``: the same names, for code without an event loop.

Generated from browser/prompts.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from typing import Literal

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.errors import InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import one_of
from tabwarden.page.person import perform_handoff
from tabwarden.page.prompts import auth, choose, dialog
from tabwarden.page.snapshot import Show, show
from tabwarden.policy import new_policy_of
from tabwarden.supervisor.core.state.prompts import Credentials
from tabwarden.sync.base import BrowserBase


class PromptMethods(BrowserBase):
    """Methods that answer prompts, and ask a person."""

    _logins: dict[str, Credentials]
    """What ``auth`` saved, by origin."""

    @journaled
    def dialog(
        self,
        action: Literal["accept", "dismiss"],
        prompt_text: str | None = None,
        *,
        dialog_id: str | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Dialog]:
        """Answer a JavaScript dialog; ``value`` is the closed dialog.

        Args:
            action: accept or dismiss. For ``beforeunload``, accept leaves the page and loses
                unsaved changes; dismiss stays.
            prompt_text: the text to enter in a prompt; by default the prompt's default text.
            dialog_id: which dialog, if several are open.
            snapshot, timeout_ms: see ``Browser``.
            tab_id: answer only a dialog of this tab. By default, of any tab.

        Raises:
            NoDialog: no dialog is open.
            AmbiguousDialog: several dialogs are open; pass ``dialog_id``.
            InvalidArgument: the caller passed ``prompt_text`` for a dialog that isn't a prompt.
        """
        one_of("action", action, ("accept", "dismiss"))
        one_of("snapshot", snapshot, show.SHOWS)
        task, budget = self._task, self._budget("dialog", timeout_ms)
        return self._engine.run_sync(
            show.and_show(
                task,
                budget,
                lambda: dialog.perform_answer(
                    task,
                    budget,
                    accept=action == "accept",
                    prompt_text=prompt_text,
                    dialog_id=dialog_id,
                    tab_id=tab_id,
                ),
                snapshot,
            )
        )

    @journaled
    def auth(
        self,
        username: str | None = None,
        password: str = "",
        *,
        cancel: bool = False,
        auth_id: str | None = None,
        origin: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Prompt]:
        """Answer a server that asks for a user name and a password. With ``origin``, save the
        answer for the next time this origin asks.

        Args:
            username, password: the credentials to send.
            cancel: send no credentials, so that the server shows its error page. With ``origin``:
                delete the saved answer, so that the configured credentials apply again.
            auth_id: which request, if several are waiting.
            origin: ``https://host``. Save the credentials for this origin until the browser closes.
                They override the configured credentials. A request that is already waiting is not
                answered.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: no server is asking, several servers are asking and ``auth_id`` is
                missing, or ``origin`` is not an origin.
        """
        if cancel == (username is not None):
            raise InvalidArgument(
                "Give either username (and password), or cancel.", field="username"
            )
        given = None if username is None else Credentials(username, password)
        vault = self._task.vault
        vault.check([username, password], "password")
        if origin is not None:
            at = auth.checked_origin(origin, auth_id)
            if given is not None:
                given = auth.filled(vault, given, at)
            self._logins.pop(at, None)
            if given is not None:
                self._logins[at] = given
            policy = new_policy_of(self._config, self._logins)
            budget = self._budget("auth", timeout_ms)
            return self._engine.run_sync(auth.perform_login(self._task, budget, at, policy))
        return self._engine.run_sync(
            auth.perform_auth(self._task, self._budget("auth", timeout_ms), given, auth_id=auth_id)
        )

    @journaled
    def choose(
        self,
        choice: str | None = None,
        *,
        cancel: bool = False,
        prompt_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Chosen]:
        """Choose one of the options that a browser prompt offers, or cancel the prompt.

        Args:
            choice: the option's id or name, as the snapshot lists it.
            cancel: choose nothing.
            prompt_id: which prompt, if several are open.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: no prompt offers options, several prompts do and ``prompt_id`` is
                missing, or the prompt does not offer this option.
        """
        if cancel == (choice is not None):
            raise InvalidArgument("Give either choice or cancel.", field="choice")
        budget = self._budget("choose", timeout_ms)
        return self._engine.run_sync(
            choose.perform_choose(self._task, budget, choice, prompt_id=prompt_id)
        )

    @journaled
    def handoff(self, reason: str, *, timeout_ms: Timeout = None) -> ActionResult[results.Handoff]:
        """Ask a person to take control, and wait until they are done, refuse, or nobody comes.

        ``value`` is ``{"id": "h-1", "outcome"}``, perhaps with ``by``, the person's name, and
        ``message``, what they wrote. ``outcome`` is ``done``, ``refused``, ``idle`` (the person
        gave the page no input for too long), ``operator`` (the operator took control back),
        ``nobody``, ``closed`` (the browser was closed), or, if the time limit passed first,
        ``waiting`` or ``under_way``. Then the hand-off stays open for at least ten minutes, and the
        next call waits for the same one.

        Args:
            reason: what the person should do, for the person; at most 500 characters.
            timeout_ms: how long to wait. Give much: people are slow.

        Raises:
            InvalidArgument: the reason is empty or too long.
        """
        return self._engine.run_sync(
            perform_handoff(self._task, self._budget("handoff", timeout_ms), reason)
        )
