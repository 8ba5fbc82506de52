"""Verbs: each maps an action of the tool ``browser`` to a registry action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tabwarden.actions import Session
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.integrations.operator_use.dialect.defaults import way

Given = Mapping[str, Any]
"""A call's validated fields, without the fields that the model omitted."""


class CallContext(NamedTuple):
    session: Session
    config: BrowserConfig


class Planned(NamedTuple):
    """The arguments for the registry's action, and Operator-Use's sentence for the result."""

    arguments: dict[str, Any]
    summary: Callable[[dict[str, Any]], str] | None = None
    """Creates the sentence from the result's JSON. If None, the tool returns the action's own
    text.
    """
    ends_with_value: bool = False
    """Whether the sentence ends with the result's value."""


Plan = Callable[[Given, CallContext], Planned]


class Verb(NamedTuple):
    """One action of the tool."""

    name: str
    tool: str
    """The registry tool."""
    about: str
    plan: Plan
    needs: tuple[str, ...]
    at: bool
    """Whether the action needs a place: x and y, or a ref."""
    fields: Mapping[str, str]
    """Maps the registry's parameters to this tool's fields, where the two names differ."""

    def check(self, given: Given) -> None:
        """Raise InvalidArgument if a required field is missing. The error names the field."""
        if self.at and not _place(given):
            raise _placeless(self.name, given)
        for field in self.needs:
            value = given.get(field)
            if value is None or value == [] or (value == "" and self.name != "type"):
                raise InvalidArgument(
                    f"'{field}' is required for action='{self.name}'.",
                    f"Call the tool again with {field}.",
                    field=field,
                )


VERBS: dict[str, Verb] = {}
"""The verbs by name, in the same order as in Operator-Use."""


def _verb(
    name: str,
    tool: str,
    about: str,
    *,
    needs: tuple[str, ...] = (),
    at: bool = False,
    fields: Mapping[str, str] | None = None,
) -> Callable[[Plan], Plan]:
    def register(
        plan: Plan,
    ) -> Plan:
        VERBS[name] = Verb(name, tool, about, plan, needs, at, fields or {})
        return plan

    return register


def _only(given: Given, *fields: str) -> dict[str, Any]:
    return {field: given[field] for field in fields if field in given}


def _place(given: Given) -> dict[str, Any]:
    if given.get("ref"):
        return {"ref": given["ref"]}
    return _only(given, "x", "y") if {"x", "y"} <= set(given) else {}


def _placeless(name: str, given: Given) -> InvalidArgument:
    return InvalidArgument(
        f"'x' and 'y' are required for action='{name}'.",
        "Pass x and y, or a ref from action='snapshot'.",
        field="y" if "x" in given else "x",
    )


def _there(given: Given) -> str:
    place = _place(given)
    return place["ref"] if "ref" in place else f"({place['x']:g}, {place['y']:g})"


def _says(sentence: str) -> Callable[[dict[str, Any]], str]:
    return lambda result: sentence


@_verb("open", "browser_open", "launch a browser or attach to one; always do this first")
def _open(given: Given, now: CallContext) -> Planned:
    arguments, remark = way(given, now.config)

    def summary(result: dict[str, Any]) -> str:
        browser = now.session.current
        tabs = len(browser.state.tabs) if browser is not None else 0
        return f"Browser ready. {tabs} tab(s) open. {remark}".strip()

    return Planned(arguments, summary)


@_verb("close", "browser_close", "close the browser")
def _close(given: Given, now: CallContext) -> Planned:
    return Planned({}, _says("Browser closed."))


@_verb("goto", "browser_navigate", "go to `url`", needs=("url",))
def _goto(given: Given, now: CallContext) -> Planned:
    return Planned(_only(given, "url"), _says(f"Navigated to {given['url']}."))


@_verb("back", "browser_back", "go back one page")
def _back(given: Given, now: CallContext) -> Planned:
    return Planned({}, _says("Navigated back."))


@_verb("forward", "browser_forward", "go forward one page")
def _forward(given: Given, now: CallContext) -> Planned:
    return Planned({}, _says("Navigated forward."))


@_verb("click", "browser_click", "click at `x`, `y`", at=True)
def _click(given: Given, now: CallContext) -> Planned:
    return Planned(_place(given), _says(f"Clicked at {_there(given)}."))


@_verb("type", "browser_type", "click at `x`, `y` and type `text`", at=True, needs=("text",))
def _type(given: Given, now: CallContext) -> Planned:
    arguments = {**_place(given), **_only(given, "text", "clear", "press_enter")}
    return Planned(arguments, _says(f"Typed at {_there(given)}."))


@_verb(
    "key", "browser_press", "press the key in `text`, `times` times",
    needs=("text",), fields={"key": "text"},
)  # fmt: skip
def _key(given: Given, now: CallContext) -> Planned:
    arguments = {"key": given["text"], **_only(given, "times")}
    return Planned(arguments, _says(f"Pressed {given['text']}."))


@_verb("scroll", "browser_scroll", "scroll the page or the element at `x`, `y`")
def _scroll(given: Given, now: CallContext) -> Planned:
    direction = given.get("direction", "down")
    at = f" at {_there(given)}" if _place(given) else ""

    def summary(result: dict[str, Any]) -> str:
        value = result.get("value") or {}
        if value.get("moved"):
            return f"Scrolled {direction}{at} by {abs(value['moved']):g}px."
        end = {"down": "bottom", "up": "top"}[direction]
        return f"Already at the {end}." if not at and not value.get("left") else "Nothing scrolled."

    return Planned({**_place(given), **_only(given, "direction", "amount")}, summary)


@_verb(
    "menu",
    "browser_select",
    "choose `labels` in the select element at `x`, `y`",
    at=True,
    needs=("labels",),
)
def _menu(given: Given, now: CallContext) -> Planned:
    arguments = {**_place(given), **_only(given, "labels")}
    return Planned(arguments, _says(f"Selected {', '.join(given['labels'])}."))


@_verb(
    "upload",
    "browser_upload",
    "put the files `filenames` into the file input at `x`, `y`",
    needs=("filenames",),
)
def _upload(given: Given, now: CallContext) -> Planned:
    browser = now.session.current
    if not _place(given) and (browser is None or not browser.state.file_choosers):
        raise _placeless("upload", given)  # if no element is specified, a file chooser must be open
    arguments = {**_place(given), **_only(given, "filenames")}
    return Planned(arguments, _says(f"Uploaded {given['filenames']}."))


@_verb("tab", "browser_tabs", "open, close or switch tabs", fields={"mode": "tab_mode"})
def _tab(given: Given, now: CallContext) -> Planned:
    mode = given.get("tab_mode", "open")
    browser = now.session.current
    tabs = len(browser.state.tabs) if browser is not None else 0
    index = given.get("tab_index")
    if mode == "switch":
        if index is None:
            raise InvalidArgument(
                "'tab_index' is required for tab_mode='switch'.",
                f"Pass the index of one of the {tabs} tabs. The first tab has index 0.",
                field="tab_index",
            )
        return Planned({"mode": mode, "tab_index": index}, _says(f"Switched to tab {index}."))
    if mode == "close":
        if tabs == 1 and index in (None, 0):
            return Planned({"mode": "list"}, _says("Cannot close the last remaining tab."))
        which = "current tab" if index is None else f"tab {index}"
        return Planned({"mode": mode, "tab_index": index}, _says(f"Closed {which}."))
    blank = "Opened a new blank tab." if "url" not in given else f"Opened {given['url']} in a tab."
    return Planned({"mode": mode, **_only(given, "url")}, _says(blank))


@_verb("wait", "browser_wait", "wait for `time` seconds", needs=("time",),
       fields={"time_s": "time"})  # fmt: skip
def _wait(given: Given, now: CallContext) -> Planned:
    return Planned({"time_s": given["time"]}, _says(f"Waited {given['time']:g}s."))


@_verb("script", "browser_evaluate", "run JavaScript and get its result", needs=("script",))
def _script(given: Given, now: CallContext) -> Planned:
    return Planned(_only(given, "script"), _says("Script result:"), ends_with_value=True)


@_verb("scrape", "browser_scrape", "read the page")
def _scrape(given: Given, now: CallContext) -> Planned:
    # Operator-Use returns the whole page, not just its main part.
    return Planned({"selector": "body", **_only(given, "format")}, _says("Page content:"))


@_verb("download", "browser_download", "save `url` as `filename`", needs=("url", "filename"))
def _download(given: Given, now: CallContext) -> Planned:
    # As in Operator-Use, a later download with the same name replaces the file at the same path.
    def summary(result: dict[str, Any]) -> str:
        path = (result.get("value") or {}).get("path", "")
        return f"Downloaded {given['filename']} from {given['url']} to {path}."

    return Planned({**_only(given, "url", "filename"), "overwrite": True}, summary)


@_verb("snapshot", "browser_snapshot", "read the page as an outline with refs")
def _snapshot(given: Given, now: CallContext) -> Planned:
    return Planned(_only(given, "ref", "more"))


@_verb("screenshot", "browser_screenshot", "take a screenshot of the page")
def _screenshot(given: Given, now: CallContext) -> Planned:
    return Planned(_only(given, "ref", "full_page"))


@_verb("dialog", "browser_dialog", "answer the waiting dialog", fields={"prompt_text": "text"})
def _dialog(given: Given, now: CallContext) -> Planned:
    accept = given.get("accept", True)
    arguments = {"action": "accept" if accept else "dismiss", **_only(given, "dialog_id")}
    if "text" in given:
        arguments["prompt_text"] = given["text"]
    return Planned(arguments, _says("Dialog accepted." if accept else "Dialog dismissed."))
