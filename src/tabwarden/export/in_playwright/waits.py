"""Write waits as lines for Playwright."""

from __future__ import annotations

import re
from typing import Any

from tabwarden.export.in_playwright.locators import locator, unknown
from tabwarden.export.in_playwright.scripts import as_function
from tabwarden.export.steps import Step, Target
from tabwarden.export.writing import call, literal

_PATIENCE_MS = 30_000
"""Playwright's default time limit for everything except its assertions."""
_LOCATOR_STATES = {"visible": "", "hidden": "hidden", "gone": "detached"}
_READY = {"domcontentloaded": 'document.readyState != "loading"',
          "load": 'document.readyState == "complete"'}  # fmt: skip


def wait(step: Step) -> list[str]:
    if step.target is not None:
        return _for_element(locator(step.tab, step.target), step.arguments)
    if step.any_of:
        return _for_any(step)
    match step.arguments:
        case {"text": str(text)}:
            return [_until(_texts(step.tab, text))]
        case {"text_gone": str(text)}:
            return [_until(_texts(step.tab, text), "hidden")]
        case {"selector": str(css), **more}:
            element = f"{step.tab}.locator({literal(css)})"
            if more.get("state") == "gone":
                return [_until(f"{element}.first", "detached")]
            return [_until(f"{element}.filter(visible=True).first", more.get("state"))]
        case {"script": str(script), **more} if more.get("frame_id") is None:
            return [f"{step.tab}.wait_for_function({literal(_function(script))})"]
        case {"url": str(url)}:
            return [f"{step.tab}.wait_for_url({literal(url if '*' in url else f'**{url}**')})"]
        case {"load_state": state}:
            return [f"{step.tab}.wait_for_load_state({literal(state)})"]
        case {"time_s": int() | float() as seconds}:
            return [f"{step.tab}.wait_for_timeout({literal(round(seconds * 1000))})"]
    return unknown(step)


def expected_url(url: str) -> str:
    """Return the argument of ``to_have_url``, as Python code."""
    return f"re.compile({literal(f'^{_pattern(url)}$')})" if "*" in url else literal(url)


def _pattern(url: str) -> str:
    return ".*".join(map(re.escape, re.split(r"\*+", url)))


def _function(script: str) -> str:
    return as_function(script, of_element=False, has_args=False)


def _texts(page: str, text: str) -> str:
    return f"{page}.get_by_text({literal(text)}).filter(visible=True).first"


def _until(element: str, state: Any = None) -> str:
    named = {} if state in (None, "visible") else {"state": literal(state)}
    return call(f"{element}.wait_for", **named)


def _for_element(element: str, arguments: dict[str, Any]) -> list[str]:
    state, text = arguments.get("state"), arguments.get("has_text")
    limit = {"timeout": f"{_PATIENCE_MS:_}"}
    lines = []
    if state in ("enabled", "disabled"):
        lines.append(call(f"expect({element}).to_be_{state}", **limit))
    elif state is not None or text is None:
        lines.append(_until(element, _LOCATOR_STATES[state or "visible"] or None))
    if text is not None:
        contains = f"expect({element}).to_contain_text"
        lines.append(call(contains, literal(text), ignore_case="True", **limit))
    return lines


def _for_any(step: Step) -> list[str]:
    holds, limit = [], {}
    for one in step.any_of:
        if (seconds := one.arguments.get("time_s")) is not None:
            limit = {"at_most_s": literal(seconds), "then_ends": "True"}
        elif (expression := _holds(one)) is None:
            return unknown(step, f"waits for {next(iter(one.arguments), 'nothing')}, which has no "
                                 "counterpart in Playwright")  # fmt: skip
        else:
            holds.append(f"lambda: {expression}")
    return [call("wait_for_any", step.tab, *holds, **limit)]


def _holds(one: Step) -> str | None:
    """Return an expression that checks whether a condition is true now; None if there is no such
    expression."""
    page, arguments = one.tab, one.arguments
    if one.target is not None:
        return _element_is(page, one.target, arguments)
    match arguments:
        case {"text": str(text)}:
            return f"{page}.get_by_text({literal(text)}).filter(visible=True).count() > 0"
        case {"text_gone": str(text)}:
            return f"{page}.get_by_text({literal(text)}).filter(visible=True).count() == 0"
        case {"selector": str(css), **more}:
            seen = "" if more.get("state") == "gone" else ".filter(visible=True)"
            wanted = "== 0" if more.get("state") in ("hidden", "gone") else "> 0"
            return f"{page}.locator({literal(css)}){seen}.count() {wanted}"
        case {"url": str(url)} if "*" in url:
            return f"re.fullmatch({literal(_pattern(url))}, {page}.url)"
        case {"url": str(url)}:
            return f"{literal(url)} in {page}.url"
        case {"load_state": str(state)} if state in _READY:
            return f"{page}.evaluate({literal(_READY[state])})"
        case {"script": str(script), **more} if more.get("frame_id") is None:
            return f"{page}.evaluate({literal(_function(script))})"
    return None


def _element_is(page: str, target: Target, arguments: dict[str, Any]) -> str:
    element, state = locator(page, target), arguments.get("state")
    if (text := arguments.get("has_text")) is not None:
        element = call(f"{element}.filter", has_text=literal(text))
    match state:
        case "gone":
            return f"{element}.count() == 0"
        case "hidden":
            return f"{element}.is_hidden()"
        case "enabled" | "disabled":
            return f"{element}.count() > 0 and {element}.is_{state}()"
    return f"{element}.count() > 0" if text is not None else f"{element}.is_visible()"
