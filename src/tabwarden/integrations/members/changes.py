"""What drivers report about tabs, dialogs and downloads: each change once, or a window of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tabwarden.browser import Browser
from tabwarden.supervisor.core.state.changes import Change

_WINDOW = 16
_REPORTS = 4
"""An entry leaves the window after this many reports. The SDK asks for two per call."""
_FAILED = "The download failed."
_CANCELED = "The download was canceled."
_DIALOGS = ("alert", "confirm", "prompt", "beforeunload")
_TABS = ("tab_opened", "tab_closed", "tab_switched", "navigation")


class _News:
    """Returns each change of a task once, except that a browser opens with a tab.

    Args:
        browser: a browser that is open already, whose earlier changes are no news.
    """

    def __init__(self, browser: Browser | None) -> None:
        self._last = 0
        self._task = ""
        self.of(browser)

    def of(self, browser: Browser | None) -> tuple[Change, ...]:
        """Return the changes since the last call."""
        if browser is None:
            return ()
        state = browser.state
        if state.task_id != self._task:
            self._task, self._last = state.task_id, 0
        new = state.changes.after(self._last)
        self._last = state.changes.sequence
        return tuple(one for one in new if one.sequence > 1 or one.kind != "tab_opened")


class ClaudeReport:
    """Reports each change once, in the form of Anthropic's contract. See ``_News``."""

    def __init__(self, browser: Browser | None) -> None:
        self._news = _News(browser)

    def changes(self, browser: Browser | None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the kind (``dialog``, ``refused``, ``wire``) and the fields of new changes."""
        for change in self._news.of(browser):
            if _is_dismissed(change) and change.dialog is not None:
                yield "dialog", {"kind": change.dialog.type, "message": change.dialog.message}
            elif change.kind == "navigation_refused":
                yield "refused", {}
            elif change.kind == "tab_opened":
                yield "wire", {"type": "tab_opened", "tab_id": change.tab_id}
            elif change.kind == "download" and change.download is not None:
                yield "wire", _download(change)


class Window:
    """The latest changes in the form of OpenAI's contract. An entry never changes, and the window
    only grows, or loses its oldest entries: the model reads the whole window in each result. See
    ``_News``."""

    def __init__(self, browser: Browser | None) -> None:
        self._news = _News(browser)
        self._entries: list[dict[str, Any]] = []
        self._reports: list[int] = []
        """How often each entry has been reported."""
        self._dropped = 0

    def report(self, browser: Browser | None) -> dict[str, Any]:
        """Return the window with the browser's changes up to now."""
        for change in self._news.of(browser):
            fields = _observed(change)
            if fields is not None:
                sequence = self._dropped + len(self._entries) + 1
                self._entries.append({**fields, "sequence": sequence})
                self._reports.append(0)
        read = sum(1 for reports in self._reports if reports >= _REPORTS)
        surplus = max(read, len(self._entries) - _WINDOW)
        del self._entries[:surplus], self._reports[:surplus]
        self._dropped += surplus
        self._reports = [reports + 1 for reports in self._reports]
        return {
            "version": 1,
            "sequence": self._dropped + len(self._entries),
            "dropped_changes": self._dropped,
            "title_truncated": False,
            "changes": [dict(one) for one in self._entries],
        }


def _observed(change: Change) -> dict[str, Any] | None:
    if change.kind in _TABS and change.tab_id is not None:
        return {"type": change.kind, "tab_id": change.tab_id}
    if change.kind == "navigation_refused":
        return {"type": change.kind, "tab_id": change.tab_id, "reason": change.reason or "policy"}
    if change.kind == "download":
        status = "failed" if change.status == "canceled" else change.status
        return {"type": "download", "tab_id": change.tab_id, "status": status}
    if _is_dismissed(change) and change.dialog is not None and change.tab_id is not None:
        kind = change.dialog.type if change.dialog.type in _DIALOGS else "other"
        return {"type": "dialog_dismissed", "tab_id": change.tab_id, "kind": kind}
    return None


def _is_dismissed(change: Change) -> bool:
    """Whether somebody else than the agent dismissed a dialog."""
    dialog = change.dialog
    return dialog is not None and dialog.closed_by != "agent" and not dialog.accepted


def _download(change: Change) -> dict[str, Any]:
    download = change.download
    assert download is not None
    one = {"download_id": download.id, "url": download.url}
    if change.status == "started":
        return {"type": "download_started", **one}
    if change.status == "completed":
        path = {"path": download.path} if download.path is not None else {}
        size = {"size_bytes": download.size} if download.size is not None else {}
        return {"type": "download_completed", **one, **path, **size}
    error = _CANCELED if change.status == "canceled" else _FAILED
    return {"type": "download_failed", **one, "error": error}
