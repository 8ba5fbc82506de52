"""The JSON about a task in the live view: its state, its calls, and the outline of the page that
the model last received.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.journal import Entry, Journal, hidden
from tabwarden.page.elements import Box, boxes_in_view
from tabwarden.page.task import ActionSpec, Call, blocking_dialogs, download_json
from tabwarden.page.text import LastOutline
from tabwarden.supervisor.core.prompts import AuthChallenge, FileChooser, kind_of
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Interrupted, Race
from tabwarden.telemetry.redaction import without_login

BOXES_MS = 400.0
"""How long to wait for the elements' boxes. For a busy page, no boxes are shown."""
PERMISSION_S = 120.0
"""How long the view offers to grant a permission that a page requested. The browser has already
denied the request, so the page may have to request it again.
"""

_LONG = 2000
_WORDY = 300
_RESULT = 20_000
_ENDED = 5


def task_json(browser: Browser, name: str) -> dict[str, Any]:
    """Return a task's state: its tabs, its current call, and the questions that are waiting for an
    answer.
    """
    state = browser.inside.task.state
    active = state.tabs.get(state.active_tab_id or "")
    journal = browser.inside.journal
    return {
        "name": name,
        "health": state.health.status,
        "reason": state.health.reason,
        "url": without_login(active.url)[:_LONG] if active else "",
        "title": active.title[:_WORDY] if active else "",
        "active_tab_id": state.active_tab_id,
        "tabs": [
            {
                "tab_id": tab.tab_id,
                "title": tab.title[:_WORDY],
                "url": without_login(tab.url)[:_LONG],
                "status": tab.status,
            }
            for tab in state.tabs.values()
        ],
        "waits": waits_json(state),
        "downloads": [download_json(one) for one in state.downloads],
        **_work_json(journal),
    }


def _work_json(journal: Journal) -> dict[str, Any]:
    entries = journal.entries
    running = [one for one in journal.running if one.parent is None]
    ended = next((one for one in reversed(entries) if one.ended and one.parent is None), None)
    return {
        "doing": entry_json(running[-1]) if running else None,
        "did": entry_json(ended) if ended is not None else None,
        "calls": entries[-1].number if entries else 0,
    }


def waits_json(state: SupervisorState) -> list[dict[str, Any]]:
    """Return the dialogs and prompts that are waiting for an answer, the longest waiting first."""
    waits: list[dict[str, Any]] = []
    offset = time.time() - time.monotonic()

    def wait(one: PendingDialog | Prompt, kind: str, more: Mapping[str, Any]) -> None:
        ends_at = None if one.deadline is None else one.deadline + offset
        about = {"kind": kind, "id": one.id, "tab_id": one.tab_id, "since": one.opened_at}
        waits.append({**about, "ends_at": ends_at, **more})

    for dialog in state.pending_dialogs:
        if dialog.answer is None:
            text, default = dialog.message[:_LONG], dialog.default_prompt[:_LONG]
            about = {
                "type": dialog.type,
                "message": text,
                "default": default,
                "url": without_login(dialog.url),
            }
            wait(dialog, "dialog", about)
    for prompt in state.prompts:
        if not prompt.answered:
            wait(prompt, *_about(prompt))
    waits += _permissions(state)
    return sorted(waits, key=lambda one: one["since"])


def ended_json(browser: Browser) -> list[dict[str, Any]]:
    """Return how the last dialogs and hand-offs ended, and who ended them. The result includes
    dialogs whose answer has been sent but has not reached the page.
    """
    state = browser.inside.task.state
    return [
        *(
            {"kind": "dialog", "id": one.id, "by": answer.by, "accepted": answer.accept}
            for one in state.pending_dialogs
            if (answer := one.answer) is not None
        ),
        *(
            {"kind": "dialog", "id": one.id, "by": one.closed_by, "accepted": one.accepted}
            for one in state.recent_dialogs[-_ENDED:]
        ),
        *(
            {"kind": "handoff", "id": one.id, "by": one.by, "outcome": one.outcome}
            for one in browser.control.lease.ended_handoffs[-_ENDED:]
        ),
    ]


def _about(prompt: Prompt) -> tuple[str, dict[str, Any]]:
    if isinstance(prompt, AuthChallenge):
        about: dict[str, Any] = {"origin": prompt.origin, "realm": prompt.realm[:_WORDY]}
        return "auth", {**about, "refused": prompt.refused}
    if isinstance(prompt, FileChooser):
        return "files", {"multiple": prompt.multiple, "answerable": not prompt.is_folder}
    return "choose", {"choices": dict(kind_of(prompt).choices(prompt))}


def _permissions(state: SupervisorState) -> list[dict[str, Any]]:
    """Return the permissions that pages recently requested and that nobody has decided on."""
    decided = {(rule.name, rule.origin) for rule in state.permissions}
    requests: dict[tuple[str, str], dict[str, Any]] = {}
    for note in state.notes:
        name, _, setting = note.text.partition(": ")
        is_known = (name, note.origin) in decided or (name, None) in decided
        is_old = note.at < time.time() - PERMISSION_S
        if note.kind == "permission" and setting != "granted" and not is_known and not is_old:
            requests[name, note.origin] = {
                "kind": "permission",
                "id": f"p-{note.number}",
                "tab_id": note.tab_id,
                "since": note.at,
                "ends_at": note.at + PERMISSION_S,
                "name": name[:_WORDY],
                "origin": note.origin,
            }
    return list(requests.values())


def fields(one: object, *names: str) -> dict[str, Any]:
    """Return the named attributes of a value."""
    return {name: getattr(one, name) for name in names}


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return a call without its result and without secrets."""
    row = {
        **fields(entry, "number", "action", "element", "parent", "by", "tab_id", "point"),
        **fields(entry, "began", "ended", "status", "code"),
        **{
            name: text[:_LONG]
            for name, text in fields(entry, "message", "hint", "note", "effect").items()
        },
        "url": without_login(entry.url)[:_LONG],
        "title": entry.title[:_WORDY],
        "steps": list(entry.steps),
    }
    plain: dict[str, Any] = hidden(entry, row)
    return {**plain, "arguments": short_arguments(entry)}


def short_arguments(entry: Entry) -> dict[str, Any]:
    """Return a call's arguments in a short form, without secrets."""
    return {
        name: _short(one) for name, one in entry.redacted_arguments().items() if name != "snapshot"
    }


def _short(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = _text(value)
    return text if len(text) <= _WORDY else f"{text[:_WORDY]}…"


def result_text(entry: Entry) -> str:
    """Return a call's result as text for a person, without secrets."""
    value = entry.redacted_result()
    if isinstance(value, dict) and list(value) == ["text"]:  # a snapshot
        value = value["text"]
    text = _text(value)
    return text if len(text) <= _RESULT else f"{text[:_RESULT]}…"


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)


_MOST = 3000
_LONGEST_LINE = 500
_LOOK = ActionSpec(name="find", acts=False, reads=True, looks=True, refreshes=False)


def outline_of(browser: Browser, tab_id: str) -> LastOutline | None:
    """Return the last outline of a whole tab; None if there is none."""
    memory = browser.inside.task.memories.get(tab_id)
    return memory.outlines.get(None) if memory is not None else None


def outline_json(known: LastOutline | None) -> dict[str, Any]:
    """Return an outline as lines, each ``[depth, text, [ref, ...]]``."""
    if known is None:
        return {"url": "", "lines": [], "left_out": 0}
    lines = known.lines
    rows = [
        [lines.depths[at], lines.texts[at][:_LONGEST_LINE], lines.refs_at(at)]
        for at in range(min(len(lines), _MOST))
    ]
    return {"url": without_login(known.url), "lines": rows, "left_out": max(0, len(lines) - _MOST)}


def _sent_refs(known: LastOutline) -> list[int]:
    return [
        int(ref[1:])
        for at in range(min(len(known.lines), _MOST))
        for ref in known.lines.refs_at(at)
    ]


async def boxes_of(browser: Browser, tab_id: str) -> dict[str, Box]:
    """Return the boxes of the last outline's elements in the viewport, keyed by ref. The result is
    empty if the page can't respond at once, or while one of the agent's calls is running, because
    the agent's calls have priority.
    """
    return await browser.inside.engine.run_async(_boxes_of(browser, tab_id))


async def _boxes_of(browser: Browser, tab_id: str) -> dict[str, Box]:
    task, known = browser.inside.task, outline_of(browser, tab_id)
    if known is None or task.journal.running or blocking_dialogs(task.state, tab_id):
        return {}
    tab = task.state.tabs.get(tab_id)
    if tab is None or tab.status != "ready" or task.hangs.rescues:
        return {}
    try:
        async with asyncio.timeout(BOXES_MS / 1000):
            with Race(task.supervisor, Budget(BOXES_MS), tab_id) as race:
                return await boxes_in_view(Call(task, race, tab, _LOOK), _sent_refs(known))
    except (TimeoutError, TabwardenError, Interrupted):
        return {}
