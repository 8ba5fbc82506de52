"""One browser per Hermes task: choose the browser that a task uses, and close that browser."""

from __future__ import annotations

import threading
from typing import Any

from . import host
from .server import Refused, call

_lock = threading.Lock()
_connected: dict[str, str] = {}
"""The tasks that work in the browser from ``/browser connect``, and its address."""
_pages: dict[str, str] = {}
"""The page of each of these tasks in that browser. The page stays open so that the user can see
it.
"""
_used: set[str] = set()


def follow(task: str) -> None:
    """Connect a task to the browser that the user has chosen with ``/browser connect``, or
    disconnect the task after ``/browser disconnect``. In that browser, each task has its own page.

    Raises:
        Refused: see ``call``.
    """
    wanted = host.connected_url()
    with _lock:
        _used.add(task)
        now = _connected.get(task, "")
    if wanted == now:
        return
    if not wanted:
        call(task, "/disconnect")
        with _lock:
            _connected.pop(task, None)
            _pages.pop(task, None)
        return
    call(task, "/connect", {"url": wanted})
    page = _pages.get(task)
    try:
        if page is None:
            raise Refused("no_page", "")
        call(task, "/tabs/focus", {"targetId": page})
    except Refused:  # a new task, or its page was closed
        opened = call(task, "/tabs/open")
        with _lock:
            _pages[task] = str(opened["targetId"])
    with _lock:
        _connected[task] = wanted


def one_used() -> str:
    """Return a task that has used the server, or the default task. All tasks have the same kind of
    browser, because ``/browser connect`` is for all tasks."""
    with _lock:
        return next(iter(_used), "default")


def end(task: str) -> None:
    """Close a task's browser, or, if it is the user's browser, only disconnect from it."""
    with _lock:
        known = task in _used
        _used.discard(task)
        _connected.pop(task, None)
    if known:
        try:
            call(task, "/stop")
        except Refused:
            return  # the server has exited, and so has the browser


def on_session_end(task_id: str = "", **_context: Any) -> None:
    """Close the task's browser, as Hermes does with its own browsers. Without a task, close every
    browser.
    """
    for task in [task_id] if task_id else list(_used):
        end(task)
