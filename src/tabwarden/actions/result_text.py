"""Format results as text for a model. Page text is quoted, so that it can't be mistaken for our own
text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from tabwarden.actions.value_text import (
    file_first,
    findings_lines,
    frame_words,
    page_tool_lines,
    saved_line,
    unsaid,
    value_words,
)
from tabwarden.errors import TabwardenError
from tabwarden.hints import Hint, Next, render, tool_call
from tabwarden.page import ActionResult, NewSinceLast, Snapshot
from tabwarden.page.snapshot import UNCHANGED, heading
from tabwarden.page.task import UNDEFINED, answers
from tabwarden.page.text import address, fence, quoted, sentence, token
from tabwarden.results import SavedFile
from tabwarden.supervisor.core.prompts import PROMPT_KINDS
from tabwarden.supervisor.core.state.tabs import Tab

NameCall: TypeAlias = Callable[[Next], str]
"""Returns the text for a call in an interface's hint; "" if the interface does not offer the
call."""

_NOTES = {
    "print": "the page printed:",
    "external": "the page tried to open another program:",
    "permission": "the page asked for a permission:",
    "credentials": "the page asked for a person's credentials:",
    "password": "answered without you:",
    "declined": "Tabwarden declined a request of the page:",
    "popup": "the browser blocked a pop-up:",
    "prompt": "a prompt ended:",
    "download": "downloads:",
    "refused": "the network policy refused a connection to",
    "window": "a window that the page opened was closed:",
}
_ASKED = re.compile(r"(?!display-capture)([a-z-]{1,40}): (?:denied|prompt)")
"""A permission that the page did not get. For screen capture, a rule has no effect (Chromium 156).
"""
_WENT = {"": "", "new_document": " (a new document)", "same_document": " (a new URL)"}
_ALONE = ("- ", "<", "new: ", "Tab ")
"""The beginnings of lines that can't be joined with other lines."""
_NAVIGATES = ("goto", "back", "forward", "reload")
_INSPECTS = ("audit", "coverage", "memory", "performance")
_MOVES_FOCUS = ("click", "press", "type")


def as_data(value: Any, call: NameCall) -> Any:
    """Convert a result or an error's ``data`` to JSON data. Hints contain calls in the format of
    the interface."""
    data = msgspec.to_builtins(value, enc_hook=lambda hint: render(hint, call))
    if isinstance(value, Snapshot):
        _omit_unknown(data)
    elif isinstance(value, ActionResult) and value.snapshot is not None:
        _omit_unknown(data["snapshot"])
    return data


def _omit_unknown(snapshot: dict[str, Any]) -> None:
    for name in snapshot.pop("unknown"):
        del snapshot[name]


def result_words(
    result: ActionResult,
    call: NameCall = tool_call,
    *,
    state_tab: Tab | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> str:
    """Describe a result, leaving out what the model already knows.

    Args:
        result: the result of an action.
        call: returns the interface's text for a call in a hint.
        state_tab: the tab whose URL and title are in the state line anyway.
        arguments: the arguments of the call.
    """
    arguments = arguments or {}
    effect = f" · {result.effect}" if result.effect else ""
    lines = [f"{result.action}: {result.status}{effect}"]
    if result.action == "batch" and result.value is not None:
        lines.extend(_steps(result, call, state_tab, arguments))
    elif result.interrupted and result.by is not None:
        lines.append(_interruption(result.by))
        lines.append(render(result.next, call))
    lines += file_first(result.action, result.value)[0]
    if result.note:
        lines.append(sentence(render(result.note, call)))
    lines += _value(result, call, state_tab, arguments)
    if result.snapshot is None:
        lines += _where(result, state_tab)
    lines += _focus(result, arguments)
    lines += _news(result.new_since_last, call, here=result.tab_id)
    if isinstance(result.snapshot, Snapshot):
        is_diff = arguments.get("snapshot") == "diff"
        outline = snapshot_words(
            result.snapshot, call, state_tab=state_tab, lists_frames=not is_diff
        )
        lines += [] if outline == UNCHANGED and result.effect.startswith("nothing") else [outline]
    return "\n".join(filter(None, lines))


def _value(
    result: ActionResult, call: NameCall, state_tab: Tab | None, arguments: Mapping[str, Any]
) -> list[str]:
    """Describe the value of a result, unless it is the value of a batch."""
    if isinstance(result.value, SavedFile):
        return saved_words(result.value)
    if result.value is None or result.action == "batch":
        is_explained = result.interrupted or UNDEFINED in result.note
        is_null = result.action == "evaluate" and not is_explained
        return ["value: null"] if is_null else []
    if result.action == "scrape" and isinstance(result.value, dict):
        return [fence([result.value["text"]])]
    if result.action == "find":
        return _found(result.value, state_tab)
    if result.action == "tabs":
        return [_tab(one) for one in result.value]
    if result.action == "dialog":
        return [_answered(result.value)]
    if result.action in _INSPECTS and "findings" in result.value:
        return findings_lines(result.value)
    if result.action == "page_tool":
        return [fence(page_tool_lines(result.value))]
    _, value = file_first(result.action, as_data(result.value, call))
    value = unsaid(result.action, value, arguments, _top_of(state_tab))
    return [f"value: {value_words(value)}"] if value is not None else []


def saved_words(file: SavedFile) -> list[str]:
    lines = f", {file.lines} lines" * bool(file.lines)
    more = ". It begins:" if file.first_lines else ""
    head = f"{saved_line(file.path, file.size)}{lines}{more}"
    return [head, *(f"  {quoted(line)}" for line in file.first_lines)]


def failure_of(data: dict[str, Any]) -> dict[str, Any] | None:
    """Return the error of the first failed step in a batch; None if no step failed."""
    if data.get("action") != "batch" or data["value"] is None:
        return None
    failed = [step["error"] for step in data["value"]["steps"] if step["status"] == "failed"]
    return failed[0] if failed else None


def _steps(
    batch: ActionResult, call: NameCall, state_tab: Tab | None, arguments: Mapping[str, Any]
) -> list[str]:
    """Describe the steps of a batch, each on one line, or on several lines if a step read
    content."""
    lines = []
    steps = batch.value["steps"]
    step_arguments = [step.arguments for step in arguments.get("steps", ())] or [{}] * len(steps)
    for number, (step, own) in enumerate(zip(steps, step_arguments, strict=False), 1):
        error, result = step.get("error"), step.get("result")
        if error is not None:
            words = f"{step['tool']}: error {error['code']}: {sentence(error['message'])}"
            hint = f" {sentence(render(error['hint'], call))}" if error["hint"] else ""
            step_lines = [words + hint]
        elif isinstance(result, Snapshot):
            is_diff = bool(own.get("diff"))
            outline = snapshot_words(result, call, state_tab=state_tab, lists_frames=not is_diff)
            step_lines = [f"{step['tool']}: ok", outline]
        else:
            plain = msgspec.structs.replace(result, tab_id=None, focus=None)
            if result.interrupted and number < len(steps):
                plain = msgspec.structs.replace(plain, next="")
            words = result_words(plain, call, state_tab=state_tab, arguments=own)
            step_lines = words.split("\n")
            if not any(line.startswith(_ALONE) for line in step_lines):
                step_lines = [" · ".join(filter(None, step_lines))]
        lines += [f"{number} {step_lines[0]}", *step_lines[1:]]
    return lines


def _focus(result: ActionResult, arguments: Mapping[str, Any]) -> list[str]:
    """Describe the focused element, unless it is the element that the call named."""
    focus = result.focus if result.action in _MOVES_FOCUS else None
    if focus is None or focus["ref"] == arguments.get("ref"):
        return []
    named = f" {quoted(focus['name'])}" if focus["name"] else ""
    return [f"focus: {focus['role']}{named} [ref={focus['ref']}]"]


def _where(result: ActionResult, state_tab: Tab | None) -> list[str]:
    """Describe the tab. Include its title and URL, unless the state line contains exactly these."""
    if not result.tab_id:
        return []
    now = f"tab {result.tab_id}{_WENT[result.navigation]}"
    if state_tab and (state_tab.tab_id, state_tab.title, state_tab.url) == (
        result.tab_id,
        result.title,
        result.url,
    ):
        is_obvious = result.effect or result.action in _NAVIGATES
        return [now] if result.navigation and not is_obvious else []
    return [f"{now}: {quoted(result.title)} {address(result.url)}"]


def _tab(tab: dict[str, Any]) -> str:
    words = [tab["tab_id"], *(["(active)"] if tab["active"] else [])]
    words += [quoted(tab["title"]), address(tab["url"])]
    words += [tab["status"]] if tab["status"] != "ready" else []
    words += [f"opened by {tab['opener_tab_id']}"] if tab.get("opener_tab_id") else []
    words += ["scripts are off"] if tab.get("scripts_off") else []
    return f"- {' '.join(words)}"


def _answered(dialog: dict[str, Any]) -> str:
    how = {True: "accepted", False: "dismissed", None: "gone"}[dialog.get("accepted")]
    text = f" with {quoted(dialog['prompt_text'])}" if dialog.get("prompt_text") else ""
    return f"{dialog['id']} {how}{text}"


def snapshot_words(
    snapshot: Snapshot,
    call: NameCall = tool_call,
    *,
    state_tab: Tab | None = None,
    lists_frames: bool = True,
) -> str:
    """Describe a snapshot, and add news that is not in the snapshot's text.

    Args:
        snapshot: the snapshot.
        call, state_tab: see ``result_words``.
        lists_frames: whether to list the frames with their ids.
    """
    text = render(snapshot.text, call)
    shows = (snapshot.tab_id, snapshot.title, snapshot.url)
    if state_tab and (state_tab.tab_id, state_tab.title, state_tab.url) == shows:
        text = text.removeprefix(heading(*shows)).removeprefix("\n")
    frames = snapshot.frame_tree.get("children", ()) if lists_frames else ()
    listed = [
        f"frame {frame_words(f['frame_id'])}: {address(f['url'])}"
        + (" (out of process)" * f["is_oopif"])
        for f in frames
    ]
    if lists_frames and snapshot.frame_tree.get("truncated"):
        step = Hint("more frames", (": ", Next("cdp", method="Page.getFrameTree")))
        listed.append(render(step, call))
    news = _news(snapshot.new_since_last, call, here=snapshot.tab_id)
    return "\n".join([text, *listed, *news])


def error_words(error: TabwardenError, call: NameCall = tool_call) -> str:
    lines = [f"error {error.code}: {sentence(error.message)}"]
    if error.hint:
        lines.append(sentence(render(error.hint, call)))
    return "\n".join(lines)


def _found(value: dict[str, Any], state_tab: Tab | None) -> list[str]:
    top = _top_of(state_tab)
    lines = [
        f"- {one['role']} {quoted(one['name'])} [ref={one['ref']}]{_tag(one)}"
        f"{' near ' + quoted(one['near']) if 'near' in one else ''}"
        f"{' beside ' + quoted(one['context']) if 'context' in one else ''}"
        f"{'' if one['frame_id'] == top else ' in frame ' + frame_words(one['frame_id'])}"
        f"{_hidden(one)}"
        for one in value["found"]
    ]
    left = value["total"] - len(lines)
    if left > 0:
        lines.append(f"{left} more: narrow the search or raise max")
    lines += [f"frame {frame_words(one['frame_id'])} could not be searched: {one['why']}"
              for one in value["unread"]]  # fmt: skip
    return lines or ["nothing found"]


def _tag(found: Mapping[str, Any]) -> str:
    return f" <{token(found['tag'])}>" if "tag" in found else ""


def _hidden(found: Mapping[str, Any]) -> str:
    if found["visible"]:
        return ""
    why = ": the page shows it when a person searches for its text" if "hidden" in found else ""
    return f" (not visible{why})"


def _top_of(state_tab: Tab | None) -> str | None:
    """Return the ID of the tab's main frame, which is the ID of the tab's target."""
    return state_tab.target_id if state_tab is not None else None


def _interruption(by: dict[str, Any]) -> str:
    if by["kind"] == "dialog":
        return f"A dialog opened: {_dialog(by['dialog'])}"
    if by["kind"] == "navigation":
        return f"The page navigated to {address(by['url'])} (frame {frame_words(by['frame_id'])})"
    (kind,) = (kind for kind in PROMPT_KINDS.values() if kind.action == by["kind"])
    return kind.words(by[kind.action], quoted)


def _whose(tab_id: str) -> str:
    return f" (tab {tab_id})" if tab_id else ""


def _dialog(dialog: dict[str, Any]) -> str:
    words = f"{dialog['id']}, {dialog['type']} {quoted(dialog['message'])}"
    if dialog.get("default_prompt"):
        words += f", default {quoted(dialog['default_prompt'])}"
    return f"{words}, in tab {dialog['tab_id']}"


def _note(note: Mapping[str, Any], call: NameCall) -> str:
    line = f"new: {_NOTES[note['kind']]} {quoted(note['text'])}{_whose(note['tab_id'])}"
    if note["kind"] == "popup":
        step = Next("tabs", mode="open", url=note["text"])
        return render(Hint(line, ("; open it: ", step)), call)
    asked = _ASKED.fullmatch(note["text"]) if note["kind"] == "permission" else None
    if asked is None:
        return line
    step = Next("permission", name=asked[1], setting="granted")
    return render(Hint(line, ("; to allow it, repeat the step after ", step)), call)


def _news(news: NewSinceLast, call: NameCall, here: str | None = None) -> list[str]:
    """Return a line for each event. The call that switches to a tab is omitted for the tab
    ``here``."""
    lines = [f"new: {did}" for did in (*news.person, *news.effects)]
    for dialog in news.dialogs:
        if "closed_by" in dialog:
            answer = {True: "accepted", False: "dismissed", None: "gone"}[dialog["accepted"]]
            lines.append(f"new: dialog {_dialog(dialog)}: {answer} by {dialog['closed_by']}")
        else:
            calls = render(answers(dialog["id"], dialog["type"]), call)
            lines.append(f"new: dialog {_dialog(dialog)} is waiting: {calls}")
    for tab in news.tabs:
        about = f" {quoted(tab['title'])} {address(tab['url'])}" if "url" in tab else ""
        opener = f", opened by {tab['opener_tab_id']}" if "opener_tab_id" in tab else ""
        line = f"new: tab {tab['tab_id']} {tab['event']}{about}{opener}"
        if "url" in tab and tab["tab_id"] != here:
            step = Next("tabs", mode="switch", tab_id=tab["tab_id"])
            line = render(Hint(line, ("; switch to it: ", step)), call)
        lines.append(line)
    lines += [
        render(Hint("new: ", kind.words(one, quoted), (": ", kind.step_of(one))), call)
        for kind, one in news.each()
    ]
    for download in news.downloads:
        where = f" {quoted(download['path'])}" if download["path"] else ""
        why = f" ({download['reason']})" if download["reason"] else ""
        name = f"{download['id']} {quoted(download['filename'])}"
        lines.append(f"new: download {name}: {download['status']}{where}{why}")
    lines += [_note(note, call) for note in news.notes]
    lines += [
        f"new: console error {quoted(error['text'][:300])} (tab {error['tab_id']})"
        + (f", {error['times']} times" if "times" in error else "")
        for error in news.console_errors
    ]
    return lines
