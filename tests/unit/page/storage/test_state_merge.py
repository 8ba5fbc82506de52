"""Merging storage states of several tasks."""

from __future__ import annotations

from typing import Any

from tabwarden.page.storage.state_merge import merged


def cookie(name: str, value: str, expires: float = -1) -> dict[str, Any]:
    return {"name": name, "value": value, "domain": "x.test", "path": "/", "expires": expires}


def state(*cookies: dict[str, Any], **local: str) -> dict[str, Any]:
    origins = [
        {"origin": f"https://{name}.test", "localStorage": [{"name": "a", "value": value}]}
        for name, value in local.items()
    ]
    return {"cookies": list(cookies), "origins": origins}


def saved(base: Any, ours: Any, theirs: Any, unread: Any = frozenset()) -> dict[str, Any]:
    return merged(base, ours, theirs, unread, now_s=100.0)


def test_state_merge_keeps_data_that_other_tasks_saved() -> None:
    base, theirs = state(cookie("a", "1")), state(cookie("a", "2"), cookie("b", "1"), site="1")
    assert saved(base, base, theirs) == theirs


def test_state_merge_prefers_the_tasks_own_changes_and_deletions() -> None:
    base = state(cookie("a", "1"), cookie("b", "1"), one="1", two="1")
    ours = state(cookie("a", "3"), one="2")
    assert saved(base, ours, base) == ours
    assert saved(base, ours, state(cookie("a", "2"), cookie("c", "1"))) == state(
        cookie("a", "3"), cookie("c", "1"), one="2"
    )


def test_state_merge_keeps_unreadable_entries() -> None:
    base = state(one="1", two="1")
    unread = {("https://one.test", "localStorage")}
    assert saved(base, state(), base, unread) == state(one="1")


def test_state_merge_drops_expired_cookies_and_keeps_session_cookies() -> None:
    now = state(cookie("old", "1", 99.0), cookie("new", "1", 101.0), cookie("session", "1"))
    names = [one["name"] for one in saved({}, now, {})["cookies"]]
    assert names == ["new", "session"]


def test_state_merge_treats_a_cookie_without_a_path_as_a_root_cookie() -> None:
    theirs = cookie("a", "1")
    del theirs["path"]
    assert saved({}, state(cookie("a", "2")), state(theirs)) == state(cookie("a", "2"))
