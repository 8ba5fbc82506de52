"""What drivers report about tabs, dialogs and downloads: each change once, or a window of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tabwarden.browser import Browser

_FAILED = "The download failed."


class _News:
    """Yields each change of a task once."""

    def __init__(self) -> None:
        self._last = 0
        self._task = ""

    def of(self, browser: Browser | None) -> list[Any]:
        """Return the changes since the last call."""
        if browser is None:
            return []
        state = browser.state
        if state.task_id != self._task:
            self._task, self._last = state.task_id, 0
        new = [one for one in _entries(state) if one.sequence > self._last]
        self._last = max((one.sequence for one in new), default=self._last)
        return new


def _entries(state: Any) -> Any:
    changes = getattr(state, "changes", None)
    return () if changes is None else changes.entries


class ClaudeReport:
    """Reports each change once, in the form of Anthropic's contract."""

    def __init__(self) -> None:
        self._news = _News()

    def changes(self, browser: Browser | None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the kind (``dialog``, ``refused``, ``wire``) and the fields of new changes."""
        for change in self._news.of(browser):
            if change.type == "dialog_answered" and change.by != "agent":
                if not change.accepted:
                    yield "dialog", {"kind": change.kind, "message": change.message}
            elif change.type == "navigation_refused":
                yield "refused", {}
            elif change.type == "tab_opened":
                yield "wire", {"type": "tab_opened", "tab_id": change.tab_id}
            elif change.type == "download":
                yield "wire", _download(change)


def _download(change: Any) -> dict[str, Any]:
    one = {"download_id": change.id, "url": change.url}
    if change.status == "started":
        return {"type": "download_started", **one}
    if change.status == "completed":
        size = {"size_bytes": change.size_bytes} if change.size_bytes is not None else {}
        return {"type": "download_completed", **one, "path": change.path, **size}
    return {"type": "download_failed", **one, "error": change.error or _FAILED}


_WINDOW = 64
_DIALOGS = ("alert", "confirm", "prompt", "beforeunload")
_TABS = ("tab_opened", "tab_closed", "tab_switched", "navigation")


class Window:
    """The latest changes in the form of OpenAI's contract. An entry never changes, and the window
    only grows, or loses its oldest entries."""

    def __init__(self) -> None:
        self._news = _News()
        self._entries: tuple[dict[str, Any], ...] = ()
        self._dropped = 0

    def report(self, browser: Browser | None) -> dict[str, Any]:
        """Return the window with the browser's changes up to now."""
        for change in self._news.of(browser):
            fields = _observed(change)
            if fields is not None:
                sequence = self._dropped + len(self._entries) + 1
                self._entries += ({**fields, "sequence": sequence},)
        surplus = max(0, len(self._entries) - _WINDOW)
        self._entries, self._dropped = self._entries[surplus:], self._dropped + surplus
        return {
            "version": 1,
            "sequence": self._dropped + len(self._entries),
            "dropped_changes": self._dropped,
            "title_truncated": False,
            "changes": [dict(one) for one in self._entries],
        }


def _observed(change: Any) -> dict[str, Any] | None:
    if change.type in _TABS:
        return {"type": change.type, "tab_id": change.tab_id}
    if change.type == "navigation_refused":
        return {"type": change.type, "tab_id": change.tab_id, "reason": change.reason}
    if change.type == "download":
        return {"type": "download", "tab_id": change.tab_id, "status": change.status}
    if change.type == "dialog_answered" and change.by != "agent" and not change.accepted:
        kind = change.kind if change.kind in _DIALOGS else "other"
        return {"type": "dialog_dismissed", "tab_id": change.tab_id, "kind": kind}
    return None
