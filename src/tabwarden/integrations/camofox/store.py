"""The known state of a task's tabs, dialogs and downloads on a Camofox server.

The values have the supervisor's own types, so every interface shows them as it does for any
browser. Readers on any thread see one frozen state. Changes happen on the engine's loop, and
observers are notified.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from tabwarden.integrations.camofox import answers
from tabwarden.supervisor.core.state.dialog_values import (
    RECENT_DIALOGS,
    ClosedBy,
    ClosedDialog,
    PendingDialog,
)
from tabwarden.supervisor.core.state.downloads import RECENT_DOWNLOADS, Download
from tabwarden.supervisor.core.state.notices import (
    DialogClosed,
    DialogOpened,
    DownloadProgress,
    EndpointRegained,
    Notice,
    PopupOpened,
    TabClosed,
    TabOpened,
)
from tabwarden.supervisor.core.state.policy import Policy
from tabwarden.supervisor.core.state.state import Health, SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame, Tab
from tabwarden.supervisor.runtime import Audience

__all__ = ["Store"]

_CLOSED_BY: dict[str, ClosedBy] = {"client": "agent", "timeout": "watchdog", "gone": "remote"}


class Store:
    """The state of one task, and its subscribers."""

    def __init__(self, policy: Policy) -> None:
        self.state = SupervisorState(policy=policy, health=Health("live"))
        self._download_ids: dict[str, str] = {}
        """Maps the server's download ids to ours. Each list from the server has all downloads."""
        self._audience = Audience()
        self.observe = self._audience.observe

    def tab_of(self, server_id: str) -> Tab | None:
        return self.state.tab_of_target(server_id)

    def gone(self, reason: str) -> None:
        """Record that this task has ended."""
        self._change(health=Health("gone", reason))

    def lost_plugin(self) -> None:
        """Record that the server has restarted without our plugin and no longer keeps dialogs
        open."""
        for dialog in self.state.pending_dialogs:
            self.dialog_closed(dialog.id, accepted=None, text=None, by="gone")
        self._change(EndpointRegained(), frames={})

    def obey(self, policy: Policy) -> None:
        self._change(policy=policy)

    # -- tabs --------------------------------------------------------------------------------

    def opened(self, server_id: str, url: str = "", opener: str | None = None) -> Tab:
        """Record a tab. It becomes the active tab unless a page opened it."""
        known = self.tab_of(server_id)
        if known is not None:
            return known
        number = self.state.next_tab
        tab = Tab(
            tab_id=f"t{number}",
            target_id=server_id,
            session_id=None,
            url=url,
            title="",
            opener_tab_id=opener,
            status="ready",
        )
        notices: list[Notice] = [TabOpened(tab_id=tab.tab_id)]
        if opener is not None:
            notices.append(PopupOpened(tab_id=tab.tab_id, opener_tab_id=opener))
        active = self.state.active_tab_id
        self._change(
            *notices,
            tabs={**self.state.tabs, tab.tab_id: tab},
            active_tab_id=active if opener is not None and active is not None else tab.tab_id,
            next_tab=number + 1,
        )
        return tab

    def closed(self, server_id: str, reason: str) -> None:
        tab = self.tab_of(server_id)
        if tab is None:
            return
        rest = {key: one for key, one in self.state.tabs.items() if key != tab.tab_id}
        active = self.state.active_tab_id
        if active == tab.tab_id:
            opener = tab.opener_tab_id
            active = opener if opener in rest else next(reversed(rest), None)
        for dialog in self.state.dialogs_of(tab.tab_id):
            self.dialog_closed(dialog.id, accepted=None, text=None, by="gone")
        frames = self.state.frames.items()
        self._change(
            TabClosed(tab_id=tab.tab_id, reason=reason),
            tabs=rest,
            active_tab_id=active,
            frames={key: one for key, one in frames if one.session_id != tab.tab_id},
        )

    def listed(
        self,
        tabs: Sequence[answers.Listed],
        *,
        known: frozenset[str],
        opener: str | None = None,
    ) -> None:
        """Apply the server's list of tabs. A tab that we did not open is a popup.

        Args:
            tabs: all of them.
            known: the server's IDs of our tabs at the time of the request. Only these tabs can be
                recorded as closed.
            opener: the tab of the latest action.
        """
        there = {one.tab_id: one for one in tabs}
        for gone in known - there.keys():
            self.closed(gone, "the server closed it")
        for server_id, one in there.items():
            if self.tab_of(server_id) is None:
                self.opened(server_id, one.url, opener)
            self.shows(server_id, one.url, one.title or "")

    def shows(self, server_id: str, url: str, title: str | None = None) -> None:
        """Record a tab's URL and, unless ``title`` is None, its title."""
        tab = self.tab_of(server_id)
        if tab is None:
            return
        now = msgspec.structs.replace(tab, url=url, title=tab.title if title is None else title)
        if now != tab:
            self._change(tabs={**self.state.tabs, tab.tab_id: now})

    def activate(self, tab_id: str) -> None:
        self._change(active_tab_id=tab_id)

    def framed(self, tab: Tab, frames: Sequence[answers.Frame]) -> None:
        """Record a tab's frames, as listed by the server's plugin."""
        others = {
            key: frame for key, frame in self.state.frames.items() if frame.session_id != tab.tab_id
        }
        ours = {
            one.frame_id: Frame(
                frame_id=tab.target_id if one.parent_frame_id is None else one.frame_id,
                parent_frame_id=_parent(one, frames, tab),
                session_id=tab.tab_id,
                url=one.url,
                name=one.name or "",
            )
            for one in frames
        }
        self._change(frames={**others, **{frame.frame_id: frame for frame in ours.values()}})

    # -- dialogs -----------------------------------------------------------------------------

    def dialog_opened(self, tab: Tab, held: answers.HeldDialog) -> PendingDialog:
        """Record a dialog that the server's plugin keeps open."""
        number = self.state.next_dialog
        open_for_s = self.state.policy.dialog_timeout_s
        if held.open_for_ms is not None:
            open_for_s = min(open_for_s, held.open_for_ms / 1000)
        dialog = PendingDialog(
            id=f"d-{number}",
            type=held.type,
            message=held.message,
            default_prompt=held.default_value or "",
            frame_id=held.frame_id,
            session_id="",
            target_id=tab.target_id,
            tab_id=tab.tab_id,
            url=held.url,
            opened_at=held.opened_at / 1000 or time.time(),
            deadline=time.monotonic() + open_for_s,
            held_by=held.id,
        )
        self._change(
            DialogOpened(tab_id=tab.tab_id, dialog=dialog),
            next_dialog=number + 1,
            pending_dialogs=(*self.state.pending_dialogs, dialog),
        )
        return dialog

    def dialog_held_as(self, server_id: str) -> PendingDialog | None:
        pending = self.state.pending_dialogs
        return next((d for d in pending if d.held_by == server_id), None)

    def dialog_closed(
        self, dialog_id: str, *, accepted: bool | None, text: str | None, by: str
    ) -> ClosedDialog | None:
        """Record that a dialog closed; ``by`` is who closed the dialog, or the plugin's reason."""
        dialog = next((d for d in self.state.pending_dialogs if d.id == dialog_id), None)
        if dialog is None:
            return None
        shared = {
            name: getattr(dialog, name)
            for name in ClosedDialog.__struct_fields__
            if name in PendingDialog.__struct_fields__
        }
        closed = ClosedDialog(
            **shared,
            closed_at=time.time(),
            closed_by=_CLOSED_BY.get(by, "auto_policy" if by == "auto_policy" else "remote"),
            accepted=accepted,
            prompt_text=text,
        )
        recent = (*self.state.recent_dialogs, closed)[-RECENT_DIALOGS:]
        pending = tuple(d for d in self.state.pending_dialogs if d is not dialog)
        self._change(
            DialogClosed(tab_id=dialog.tab_id, dialog=closed),
            pending_dialogs=pending,
            recent_dialogs=recent,
        )
        return closed

    # -- downloads ---------------------------------------------------------------------------

    def downloaded(self, tab: Tab, listed: Sequence[answers.Download]) -> None:
        """Apply the server's list of a tab's downloads."""
        known = {download.guid: download for download in self.state.downloads}
        for one in listed:
            before = known.get(one.id)
            if before is None and one.id in self._download_ids:
                continue  # the state has already dropped it as too old
            our_id = self._download_ids.setdefault(one.id, f"dl-{self.state.next_download}")
            name = one.suggested_filename or "download"
            now = Download(
                id=our_id,
                guid=one.id,
                tab_id=tab.tab_id,
                url=one.url or "",
                suggested_filename=name,
                filename=before.filename if before is not None else name,
                status="failed" if one.failure else "completed",
                received_bytes=one.size or 0,
                size=one.size or 0,
                mime_type=one.mime_type,
                path=before.path if before is not None else None,
                reason=one.failure or "",
                started_at=before.started_at if before is not None else time.time(),
            )
            if now != before:
                self.download_is(now, is_new=before is None)

    def download_is(self, now: Download, *, is_new: bool = False) -> None:
        rest = tuple(d for d in self.state.downloads if d.guid != now.guid)
        self._change(
            DownloadProgress(tab_id=now.tab_id or "", download=now),
            downloads=(*rest, now)[-RECENT_DOWNLOADS:],
            next_download=self.state.next_download + is_new,
        )

    def _change(self, *notices: Notice, **fields: Any) -> None:
        for name in ("tabs", "frames"):
            if name in fields:
                fields[name] = MappingProxyType(fields[name])
        self.state = msgspec.structs.replace(self.state, **fields)
        self._audience.tell(notices, self.state)


def _parent(one: answers.Frame, frames: Sequence[answers.Frame], tab: Tab) -> str | None:
    """Return a frame's parent. The top frame has the tab's own id, as in any browser."""
    parent = one.parent_frame_id
    if parent is None:
        return None
    is_top = any(f.frame_id == parent and f.parent_frame_id is None for f in frames)
    return tab.target_id if is_top else parent
