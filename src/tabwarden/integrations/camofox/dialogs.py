"""Dialogs on a Camofox server that has our plugin: detect them, and accept or dismiss them.

A long poll reports each dialog at once. While the poll runs, the server keeps this user's dialogs
open; without it, the server dismisses them itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from tabwarden.errors import InvalidArgument, NoDialog, TabwardenError
from tabwarden.integrations.camofox.answers import Event, Events, HeldDialog
from tabwarden.integrations.camofox.server import Server
from tabwarden.integrations.camofox.store import Store
from tabwarden.page.task import dialog_json
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.policy import DialogPolicy

__all__ = ["DialogLink"]

_POLL_MS = 20_000
_PAUSE_S = 0.5
_SLACK_S = 10
log = logging.getLogger("tabwarden.integrations.camofox")


class DialogLink:
    """One task's connection to the plugin. Runs on the engine's loop.

    Args:
        lost: called once if the server no longer has the plugin.
    """

    def __init__(self, server: Server, store: Store, lost: Callable[[], None]) -> None:
        self._server = server
        self._store = store
        self._lost = lost
        self._after = 0
        self._answers: set[asyncio.Task[None]] = set()
        self._task = asyncio.ensure_future(self._listen())

    async def aclose(self) -> None:
        self._task.cancel()
        for answer in self._answers:
            answer.cancel()
        await asyncio.gather(self._task, *self._answers, return_exceptions=True)

    async def let_go(self) -> None:
        """Tell the plugin that nobody is listening any more. The plugin then dismisses the open
        dialogs.
        """
        await self._server.delete("/tabwarden/events")

    async def answer(self, dialog: PendingDialog, *, accept: bool, text: str | None) -> None:
        """Accept or dismiss a dialog.

        Raises:
            NoDialog: the dialog is no longer open.
        """
        fields = {} if text is None else {"promptText": text}
        try:
            await self._server.post(
                f"/tabwarden/dialogs/{quote(dialog.held_by, safe='')}", accept=accept, **fields
            )
        except TabwardenError as error:
            if error.data.get("status") != 404:
                raise
            self._store.dialog_closed(dialog.id, accepted=None, text=None, by="gone")
            raise NoDialog(
                f"Something else closed {dialog.id} before the answer arrived.",
                "Take a snapshot and continue.",
            ) from None

    async def closed(
        self, dialog: PendingDialog, *, accept: bool, text: str | None
    ) -> dict[str, Any]:
        """Accept or dismiss a dialog for the agent, and return the closed dialog.

        Raises:
            NoDialog: something else closed it.
            InvalidArgument: the caller gave ``text``, but the dialog is not a prompt.
        """
        if text is not None and dialog.type != "prompt":
            raise InvalidArgument(
                f"{dialog.id} is not a prompt: it takes no text.",
                "Omit the text.",
                field="prompt_text",
            )
        if accept and dialog.type == "prompt" and text is None:
            text = dialog.default_prompt
        await self.answer(dialog, accept=accept, text=text)
        closed = self._store.dialog_closed(dialog.id, accepted=accept, text=text, by="client")
        if closed is None:  # the poll has already reported it
            recent = self._store.state.recent_dialogs
            closed = next(one for one in reversed(recent) if one.id == dialog.id)
        return dialog_json(closed)

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                async with asyncio.timeout(_POLL_MS / 1000 + _SLACK_S):
                    reply = await self._server.get(
                        "/tabwarden/events", after=self._after, waitMs=_POLL_MS
                    )
                has_news = self._heard(reply.read(Events))
            except asyncio.CancelledError:
                raise
            except TabwardenError as error:
                log.debug("the poll for dialogs failed", exc_info=True)
                if error.data.get("status") == 404:
                    self._lost()
                    return
                has_news = False
            except Exception:  # after any response: the next poll might succeed
                log.debug("the poll for dialogs failed", exc_info=True)
                has_news = False
            if not has_news and loop.time() - began < _PAUSE_S:
                await asyncio.sleep(_PAUSE_S)

    def _heard(self, batch: Events) -> bool:
        self._after = batch.next
        for event in batch.events:
            self._take(event)
        return bool(batch.events)

    def _take(self, event: Event) -> None:
        tab_id, kind = event.tab_id, event.event
        if kind == "dialog_opened" and event.dialog is not None:
            self._opened(tab_id, event.dialog)
        elif kind == "dialog_closed":
            self._closed(event)
        elif kind == "tab_opened" and self._store.tab_of(tab_id) is None:
            opener = self._store.tab_of(event.opener_tab_id or "")
            if opener is not None:  # our own call records a tab that it opens
                self._store.opened(tab_id, event.url, opener.tab_id)
        elif kind == "tab_closed":
            self._store.closed(tab_id, event.reason or "")

    def _opened(self, tab_id: str, held: HeldDialog) -> None:
        tab = self._store.tab_of(tab_id) or self._store.opened(tab_id, held.url)
        if self._store.dialog_held_as(held.id) is not None:
            return
        dialog = self._store.dialog_opened(tab, held)
        policy = self._store.state.policy
        if policy.dialog_policy is not DialogPolicy.MUST_RESPOND:
            self._begin(self._by_policy(dialog, policy.dialog_policy is DialogPolicy.AUTO_ACCEPT))
        else:
            self._begin(self._watched(dialog, policy.dialog_timeout_s))

    def _closed(self, event: Event) -> None:
        dialog = self._store.dialog_held_as(event.id)
        if dialog is not None:
            self._store.dialog_closed(dialog.id, accepted=event.accepted, text=None, by=event.by)

    async def _by_policy(self, dialog: PendingDialog, accept: bool) -> None:
        text = dialog.default_prompt if accept and dialog.type == "prompt" else None
        await self._answered_for(dialog, accept=accept, text=text, by="auto_policy")

    async def _watched(self, dialog: PendingDialog, timeout_s: float) -> None:
        await asyncio.sleep(timeout_s)
        if any(one is dialog for one in self._store.state.pending_dialogs):
            await self._answered_for(dialog, accept=False, text=None, by="timeout")

    async def _answered_for(
        self, dialog: PendingDialog, *, accept: bool, text: str | None, by: str
    ) -> None:
        try:
            await self.answer(dialog, accept=accept, text=text)
        except TabwardenError:
            return  # the dialog or the server is gone: the next call reports it
        self._store.dialog_closed(dialog.id, accepted=accept, text=text, by=by)

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)
