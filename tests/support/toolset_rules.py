"""The rules of two vendors' APIs for the results of their browser toolsets, which the SDKs do not
check.

A result that breaks a rule ends the run at the API, or misleads the model. The rules for Anthropic
are those of the ``browser_state`` block (anthropic 2.14.0, ``types/beta``, and its guide); the
rules for OpenAI are those of openai 3.57.0, ``lib/browser.py``, and of an observation over a whole
run. Each function returns the breaches, as sentences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MOST_TABS", "AnthropicRules", "OpenAIRules"]

MOST_TABS = 100
MOST_FIELD = 4096
"""Characters in a URL, a title or an error of Anthropic's blocks."""
MOST_ID_BYTES = 128
READS = {
    "read_page", "find", "get_page_text", "read_console", "read_network", "javascript_exec",
}  # fmt: skip
"""The members whose text is a page's own."""
STATE_ONLY = {"new_tab", "switch_tab", "list_tabs", "close_tab"}
CHANGES = {
    "tab_opened": {"tab_id"},
    "download_started": {"download_id", "url"},
    "download_completed": {"download_id", "url"},
    "download_failed": {"download_id", "url"},
}
OPENAI_CHANGES = {
    "tab_opened": {"tab_id"},
    "tab_closed": {"tab_id"},
    "tab_switched": {"tab_id"},
    "navigation": {"tab_id"},
    "navigation_refused": {"tab_id", "reason"},
    "dialog_dismissed": {"tab_id", "kind"},
    "download": {"tab_id", "status"},
}
OPENAI_IMAGES = {"screenshot", "zoom"}
OPENAI_REPORTS = {"read_page", "get_page_text", "find", "read_page_scoped", "read_diagnostics"}
OPENAI_FILES = {"upload_file", "download_file"}
OPENAI_ROLES = {"button", "textbox", "combobox", "checkbox", "radio", "slider", "listbox"}
ORIGIN = re.compile(r"about:blank|https?://[^/?#@\s]+")
LOCAL_PATH = re.compile(r"(?<![\w:/.])/(?:home|root|tmp|usr|var|work)/\S+")
"""A path of this computer. The guide forbids it in what a model reads."""


def _tab_breaches(tabs: Any, key: str) -> Iterator[str]:
    if not isinstance(tabs, list):
        yield "the tabs are not a list"
        return
    ids = [tab.get(key) for tab in tabs]
    if len(set(ids)) < len(ids):
        yield f"two tabs have one id: {ids}"
    if any(not isinstance(one, str) or not one for one in ids):
        yield f"a tab has no id: {ids}"
    active = sum(tab.get("active") is True for tab in tabs)
    if tabs and active != 1:
        yield f"{active} of {len(tabs)} tabs are active"
    if len(tabs) > MOST_TABS:
        yield f"{len(tabs)} tabs are reported"
    for tab in tabs:
        if set(tab) != {key, "title", "url", "active"}:
            yield f"a tab has the fields {sorted(tab)}"


@dataclass
class AnthropicRules:
    """The rules for the ``tool_result`` blocks of one run of Anthropic's toolset."""

    answered: set[str] = field(default_factory=set)

    def breaches(self, call: dict[str, Any], result: dict[str, Any]) -> list[str]:
        """Check the result of one ``tool_use`` block."""
        return [f"{call['name']}: {breach}" for breach in self._breaches(call, result)]

    def _breaches(self, call: dict[str, Any], result: dict[str, Any]) -> Iterator[str]:
        if result.get("type") != "tool_result":
            yield f"the result's type is {result.get('type')!r}"
        if result.get("tool_use_id") != call["id"]:
            yield "the result answers another call"
        elif call["id"] in self.answered:
            yield "the call has two results"
        self.answered.add(call["id"])
        if result.get("toolset_name") != call.get("toolset_name"):
            yield "the result does not echo toolset_name"
        content = result.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(blocks, list) or not blocks:
            yield "the result is empty"
            return
        kinds = [block.get("type") for block in blocks]
        if result.get("is_error") and set(kinds) != {"text"}:
            yield f"an error has the blocks {kinds}"
        if not result.get("is_error"):
            if kinds.count("browser_state") != 1:
                yield f"the result has {kinds.count('browser_state')} browser_state blocks"
            elif kinds[-1] != "browser_state":
                yield "the browser_state block is not the last block"
            if call["name"] in STATE_ONLY and kinds != ["browser_state"]:
                yield f"a tab member's result has the blocks {kinds}"
        for block in blocks:
            yield from self._block_breaches(call, block)

    def _block_breaches(self, call: dict[str, Any], block: dict[str, Any]) -> Iterator[str]:
        match block.get("type"):
            case "text":
                if not block.get("text"):
                    yield "a text block is empty"
                elif call["name"] not in READS:
                    yield from _path_breaches(block["text"], json.dumps(call.get("input")))
                yield from _text_breaches(block.get("text"))
            case "image":
                if call["name"] not in {"screenshot", "zoom"}:
                    yield "an image is the result of a member that returns none"
            case "browser_state":
                yield from self._state_breaches(call, block)
            case other:
                yield f"a block's type is {other!r}"

    def _state_breaches(self, call: dict[str, Any], state: dict[str, Any]) -> Iterator[str]:
        tabs = state.get("tabs")
        yield from _tab_breaches(tabs, "tab_id")
        for tab in tabs or ():
            for name in ("url", "title"):
                if len(tab.get(name) or "") > MOST_FIELD:
                    yield f"a tab's {name} has more than {MOST_FIELD} characters"
        if "state_changes" in state:
            ids = {tab.get("tab_id") for tab in tabs or ()}
            yield from _change_breaches(call, state["state_changes"], ids)


def _change_breaches(
    call: dict[str, Any], changes: list[dict[str, Any]], ids: set[str]
) -> Iterator[str]:
    if not changes:
        yield "state_changes is an empty list"
    opened = [one["tab_id"] for one in changes if one.get("type") == "tab_opened"]
    if len(set(opened)) < len(opened):
        yield "a tab was opened twice"
    if gone := [tab for tab in opened if tab not in ids]:
        yield f"an opened tab is not in the tabs: {gone}"
    if call["name"] == "new_tab" and len(opened) != 1:
        yield f"new_tab reports {len(opened)} opened tabs"
    downloads = [one["download_id"] for one in changes if "download_id" in one]
    if len(set(downloads)) < len(downloads):
        yield "one download has two changes"
    for change in changes:
        wanted = CHANGES.get(change.get("type", ""))
        if wanted is None:
            yield f"a change's type is {change.get('type')!r}"
        elif missing := wanted - set(change):
            yield f"a change {change['type']} lacks {sorted(missing)}"
        if LOCAL_PATH.match(str(change.get("url", ""))):
            yield "a download's url is a local path"


@dataclass
class OpenAIRules:
    """The rules for the outputs of one run of OpenAI's toolset."""

    answered: set[str] = field(default_factory=set)
    observation: dict[str, Any] | None = None

    def breaches(self, call: dict[str, Any], result: dict[str, Any]) -> list[str]:
        """Check the output of one ``function_call``."""
        return [f"{call['name']}: {breach}" for breach in self._breaches(call, result)]

    def _breaches(self, call: dict[str, Any], result: dict[str, Any]) -> Iterator[str]:
        if result.get("type") != "function_call_output":
            yield f"the output's type is {result.get('type')!r}"
        if result.get("call_id") != call["call_id"]:
            yield "the output answers another call"
        elif call["call_id"] in self.answered:
            yield "the call has two outputs"
        self.answered.add(call["call_id"])
        output = result.get("output")
        if not isinstance(output, list) or not output or output[0].get("type") != "input_text":
            yield "the output does not begin with input_text"
            return
        member = call["name"].removeprefix("browser_")
        images = [part for part in output[1:] if part.get("type") == "input_image"]
        if len(images) != len(output) - 1:
            yield "the output has a part other than one text and an image"
        text = output[0]["text"]
        if not text.isascii():
            yield "the text is not ASCII"
        try:
            body = json.loads(text)
        except ValueError:
            yield "the text is not JSON"
            return
        yield from self._body_breaches(member, body, images, str(call.get("arguments")))

    def _body_breaches(
        self, member: str, body: dict[str, Any], images: list[dict[str, Any]], sent: str
    ) -> Iterator[str]:
        if unknown := set(body) - {"ok", "state", "result", "error"}:
            yield f"the body has the fields {sorted(unknown)}"
        if type(body.get("ok")) is not bool:
            yield "ok is not a bool"
        refused_file = member in OPENAI_FILES and "result" in body
        if body.get("ok") is False and "error" not in body and not refused_file:
            yield "a failure has no error"
        if body.get("ok") and "error" in body:
            yield "a success has an error"
        if member in OPENAI_IMAGES:
            if body.get("ok") and len(images) != 1:
                yield f"the output has {len(images)} images"
        elif images:
            yield "an image is the result of a member that returns none"
        if body.get("ok") and "result" in body:
            yield from _openai_result_breaches(member, body["result"])
        if member not in OPENAI_REPORTS | {"run_script"}:
            text = str(body.get("error") or body.get("result") or "")
            yield from _path_breaches(text, sent)
        yield from _text_breaches(body.get("error"))
        if "state" in body:
            yield from self._state_breaches(body["state"])

    def _state_breaches(self, state: dict[str, Any]) -> Iterator[str]:
        yield from _tab_breaches(state.get("tabs"), "id")
        for tab in state.get("tabs") or ():
            if len(str(tab.get("id")).encode()) > MOST_ID_BYTES:
                yield f"a tab's id has more than {MOST_ID_BYTES} bytes"
        observation = state.get("observation")
        if observation is None:
            if self.observation is not None:
                yield "the observation is gone"
            return
        for tab in state.get("tabs") or ():
            if not ORIGIN.fullmatch(tab["url"]):
                yield f"a tab's url is not an origin: {tab['url']}"
        yield from self._observation_breaches(observation)
        self.observation = observation

    def _observation_breaches(self, now: dict[str, Any]) -> Iterator[str]:
        dropped, changes = now["dropped_changes"], now["changes"]
        if now["sequence"] != dropped + len(changes):
            yield f"sequence {now['sequence']} is not {dropped} dropped + {len(changes)} changes"
        for at, change in enumerate(changes):
            if change.get("sequence") != dropped + at + 1:
                yield f"change {at} has the sequence {change.get('sequence')}"
            wanted = OPENAI_CHANGES.get(change.get("type", ""))
            if wanted is None or set(change) != wanted | {"type", "sequence"}:
                yield f"a change has the fields {sorted(change)} and type {change.get('type')!r}"
        before = self.observation
        if before is None:
            return
        if now["sequence"] < before["sequence"] or dropped < before["dropped_changes"]:
            yield "the observation went back"
        known = {change["sequence"]: change for change in before["changes"]}
        for change in changes:
            if known.get(change["sequence"], change) != change:
                yield f"change {change['sequence']} is another than before"


def _openai_result_breaches(member: str, result: Any) -> Iterator[str]:
    if member in OPENAI_FILES:
        if not isinstance(result, dict) or set(result) != {
            "version", "status", "effect", "cleanup",
        }:  # fmt: skip
            yield "a file result has another shape"
        return
    if result is None or isinstance(result, str):
        if member in {"read_page_scoped", "read_diagnostics"}:
            yield "the report is not an object"
        return
    if member not in OPENAI_REPORTS:
        yield "an action's result is not a string"
        return
    fields = {"version", "text", "elements", "omitted"}
    if set(result) != fields | ({"scopes"} if member == "read_page_scoped" else set()):
        yield f"a report has the fields {sorted(result)}"
        return
    refs = [one["ref"] for one in (*result["elements"], *result.get("scopes", ()))]
    if len(set(refs)) < len(refs):
        yield "a report has a ref twice"
    if roles := {one["role"] for one in result["elements"]} - OPENAI_ROLES:
        yield f"a report has the roles {sorted(roles)}"


def _path_breaches(text: str, sent: str) -> Iterator[str]:
    """A path that the model sent itself is no news to it."""
    for found in LOCAL_PATH.findall(text):
        if found.strip("'\".,") not in sent:
            yield f"a text names a local path: {found}"


def _text_breaches(text: Any) -> Iterator[str]:
    """An address of memory, a traceback or a Python type is not for a model."""
    if isinstance(text, str) and re.search(r"Traceback \(most|<\w[\w. ]* object at 0x", text):
        yield "a text shows a traceback or an object's address"
