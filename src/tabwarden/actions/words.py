"""Results in words: what a model reads. Page text in them is quoted, so it can't pose as ours."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import TabwardenError
from tabwarden.page import ActionResult, NewSinceLast, Snapshot
from tabwarden.page.fence import fence
from tabwarden.page.line import as_json, cut_json, quoted, sentence, token

__all__ = ["error_words", "result_words", "snapshot_words"]

_NOTES = {
    "print": "the page printed:",
    "external": "the page called another program:",
    "permission": "the page asked for a permission:",
    "password": "answered without you:",
    "refused": "the network policy refused a connection to",
}
_WENT = {"": "", "new_document": " (a new document)", "same_document": " (a new URL)"}
_MAX_VALUE = 40_000
_MAX_DATA = 4_000


def result_words(result: ActionResult) -> str:
    """An action's result."""
    lines = [f"{result.action}: {result.status}"]
    if result.interrupted and result.by is not None:
        lines.append(_interruption(result.by))
        lines.append(result.next)
    if result.note:
        lines.append(sentence(result.note))
    if result.action == "scrape" and isinstance(result.value, dict):
        lines.append(fence([result.value["text"]]))
    elif result.action == "find" and result.value is not None:
        lines.extend(_found(result.value))
    elif result.value is not None:
        lines.append(f"value: {_value(result.value)}")
    elif result.action == "evaluate" and not result.interrupted:
        lines.append("value: null")
    if result.tab_id:
        where = f"{quoted(result.title)} {quoted(result.url)}"
        lines.append(f"tab {result.tab_id}{_WENT[result.navigation]}: {where}")
    if result.focus is not None:
        focus = result.focus
        named = f" {quoted(focus['name'])}" if focus["name"] else ""
        lines.append(f"focus: {focus['role']}{named} [ref={focus['ref']}]")
    lines += _news(result.new_since_last)
    if isinstance(result.snapshot, Snapshot):
        lines.append(snapshot_words(result.snapshot))
    return "\n".join(lines)


def snapshot_words(snapshot: Snapshot) -> str:
    """A snapshot, with what is new beside what it shows itself."""
    frames = snapshot.frame_tree.get("children", ())
    listed = [
        f"frame {f['frame_id']}: {quoted(f['url'])}" + (" (out of process)" * f["is_oopif"])
        for f in frames
    ]
    if snapshot.frame_tree.get("truncated"):
        listed.append("more frames: browser_cdp Page.getFrameTree")
    return "\n".join([snapshot.text, *listed, *_news(snapshot.new_since_last)])


def error_words(error: TabwardenError) -> str:
    """An error: code, what happened, what to do, and the facts."""
    lines = [f"error {error.code}: {sentence(error.message)}"]
    if error.hint:
        lines.append(sentence(error.hint))
    if error.data:
        lines.append(f"data: {cut_json(as_json(error.data), _MAX_DATA)}")
    return "\n".join(lines)


def _found(value: dict[str, Any]) -> list[str]:
    lines = [
        f"- {one['role']} {quoted(one['name'])} [ref={one['ref']}] <{token(one['tag'])}> in frame "
        f"{one['frame_id']}{'' if one['visible'] else ' (not visible)'}"
        for one in value["found"]
    ]
    left = value["total"] - len(lines)
    if left > 0:
        lines.append(f"{left} more: name more exactly what is meant, or raise max")
    lines += [f"frame {one['frame_id']} could not be looked at: {one['why']}"
              for one in value["unread"]]  # fmt: skip
    return lines or ["nothing found"]


def _interruption(by: dict[str, Any]) -> str:
    if by["kind"] == "auth":
        return f"A server asks for a password: {_auth(by['auth'])}"
    if by["kind"] == "navigation":
        return f"The page went elsewhere: {quoted(by['url'])} (frame {by['frame_id']})"
    return f"A dialog opened: {_dialog(by['dialog'])}"


def _whose(tab_id: str) -> str:
    return f" (tab {tab_id})" if tab_id else ""


def _auth(challenge: dict[str, Any]) -> str:
    words = f"{challenge['id']}, {quoted(challenge['origin'])} for {quoted(challenge['realm'])}"
    if challenge["refused"]:
        words += f"; the {challenge['refused']}'s credentials were refused"
    return f"{words}, in tab {challenge['tab_id']}"


def _dialog(dialog: dict[str, Any]) -> str:
    words = f"{dialog['id']}, {dialog['type']} {quoted(dialog['message'])}"
    if dialog.get("default_prompt"):
        words += f", default {quoted(dialog['default_prompt'])}"
    return f"{words}, in tab {dialog['tab_id']}"


def _value(value: Any) -> str:
    text = as_json(value)
    if len(text) <= _MAX_VALUE:
        return text
    return f"{cut_json(text, _MAX_VALUE)} ({len(text)} characters in all: ask for less)"


def _news(news: NewSinceLast) -> list[str]:
    lines = []
    for dialog in news.dialogs:
        if "closed_by" in dialog:
            answer = {True: "accepted", False: "dismissed", None: "gone"}[dialog["accepted"]]
            lines.append(f"new: dialog {_dialog(dialog)}: {answer} by {dialog['closed_by']}")
        else:
            lines.append(f"new: dialog {_dialog(dialog)} waits: answer with browser_dialog")
    for tab in news.tabs:
        about = f" {quoted(tab['title'])} {quoted(tab['url'])}" if "url" in tab else ""
        opener = f", opened by {tab['opener_tab_id']}" if "opener_tab_id" in tab else ""
        lines.append(f"new: tab {tab['tab_id']} {tab['event']}{about}{opener}")
    lines += [
        f"new: file chooser {c['id']} waits in tab {c['tab_id']}: answer with browser_upload"
        for c in news.file_choosers
    ]
    lines += [
        f"new: password prompt {_auth(c)}: answer with browser_auth" for c in news.auth_challenges
    ]
    for download in news.downloads:
        where = f" {quoted(download['path'])}" if download["path"] else ""
        why = f" ({download['reason']})" if download["reason"] else ""
        name = f"{download['id']} {quoted(download['filename'])}"
        lines.append(f"new: download {name}: {download['status']}{where}{why}")
    lines += [
        f"new: {_NOTES[note['kind']]} {quoted(note['text'])}{_whose(note['tab_id'])}"
        for note in news.notes
    ]
    lines += [
        f"new: console error {quoted(error['text'][:300])} (tab {error['tab_id']})"
        for error in news.console_errors
    ]
    return lines
