"""What members do with tabs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.browser import Browser
from tabwarden.errors import InvalidArgument
from tabwarden.integrations.members.call import MemberCall, Outcome

HISTORY = ("back", "forward", "reload")
_MOST_URL = 500
MOST_TABS = 100
"""A state report of the vendors' contracts has at most this many tabs."""


async def navigate(call: MemberCall, url: str, *, history: bool = True) -> Outcome:
    """Open a URL. ``data["waits"]`` says whether a dialog waits for an answer.

    Args:
        call: the call.
        url: the URL.
        history: whether ``back``, ``forward`` and ``reload`` are words and not hosts.
    """
    before, word = _url_of(call), url.strip().lower()
    is_word = history and word in HISTORY
    answer = await (call.do(word) if is_word else call.do("navigate", url=url))
    data = answer.data
    status, dialog = data["http_status"], (data.get("by") or {}).get("dialog")
    is_there = data.get("status") != "interrupted" or data["url"] != before
    line = f"Navigated to {data['url'][:_MOST_URL]}{f' (HTTP {status})' if status else ''}."
    return Outcome(
        text=" ".join(filter(None, (line if is_there else "", call.line_of(answer)))),
        data={
            "url": data["url"],
            "status": status,
            "title": data["title"],
            "waits": dialog is not None and "accepted" not in dialog,
        },
    )


def _url_of(call: MemberCall) -> str:
    """Return the URL of the call's tab before the call."""
    browser = call.session.current
    state = None if browser is None else browser.state
    name = call.tab_id or (None if state is None else state.active_tab_id)
    tabs = () if state is None else state.tabs
    return next((tab.url for tab in tabs if tab.tab_id == name), "")


async def new_tab(call: MemberCall, url: str | None = None) -> Outcome:
    """Open a tab, and make it the active one."""
    browser = call.session.current
    if browser is not None and len(browser.state.tabs) >= MOST_TABS:
        raise InvalidArgument(
            f"{MOST_TABS} tabs are open, which is the most.", "Close a tab first.", field="url"
        )
    answer = await call.do("tabs", mode="open", url=url)
    return _tabs(call, answer.data["tab_id"])


async def list_tabs(call: MemberCall) -> Outcome:
    await call.do("tabs", mode="list")
    return _tabs(call)


async def switch_tab(call: MemberCall, tab_id: str) -> Outcome:
    await call.do("tabs", mode="switch", tab_id=tab_id)
    return _tabs(call, tab_id)


async def close_tab(call: MemberCall, tab_id: str) -> Outcome:
    answer = await call.do("tabs", mode="close", tab_id=tab_id)
    return Outcome(text=call.line_of(answer) if answer.data.get("status") != "ok" else "")


def tab_entries(browser: Browser | None) -> list[dict[str, Any]]:
    """Return the tabs of a state report: at most ``MOST_TABS``, of which exactly one is active if
    there are any."""
    if browser is None:
        return []
    state = browser.state
    tabs = list(state.tabs)
    active = state.active_tab_id
    if not any(tab.tab_id == active for tab in tabs):
        active = tabs[0].tab_id if tabs else None
    dropped = max(0, len(tabs) - MOST_TABS)
    oldest = [tab for tab in tabs if tab.tab_id != active][:dropped]
    return [
        {
            "tab_id": tab.tab_id,
            "title": tab.title,
            "url": tab.url,
            "active": tab.tab_id == active,
        }
        for tab in tabs
        if tab not in oldest
    ]


def member_of(arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the member and its fields for a call of our action ``tabs``."""
    mode = arguments.get("mode", "list")
    fields = {"tab_id": arguments.get("tab_id", "...")} if mode in ("close", "switch") else {}
    return {"list": "list_tabs", "open": "new_tab"}.get(mode, f"{mode}_tab"), fields


def _tabs(call: MemberCall, tab_id: str | None = None) -> Outcome:
    entries = tab_entries(call.session.current)
    entry = next((one for one in entries if one["tab_id"] == tab_id), None)
    lines = [
        f"{one['tab_id']}{' (active)' if one['active'] else ''}: {one['title']!r} {one['url']}"
        for one in entries
    ]
    return Outcome(text="\n".join(lines), data={"tabs": entries, "tab": entry})
