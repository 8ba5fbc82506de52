"""Write a program that repeats a trace through Tabwarden."""

from __future__ import annotations

from typing import Any

from tabwarden.export.steps import Plan, Step, Target
from tabwarden.export.writing import call, doc, indented, joined, literal, made_variable
from tabwarden.page.elements import selector_of

_ANSWER = '''def answer(browser: Browser, action: str, text: str | None = None) -> None:
    """Wait for the next dialog and answer it."""
    deadline = time.monotonic() + 30
    while not browser.state.pending_dialogs and time.monotonic() < deadline:
        time.sleep(0.05)
    browser.dialog(action, text)
'''
_FIRST = {
    "click": ("ref",), "hover": ("ref",), "type": ("text", "ref"), "press": ("key",),
    "goto": ("url",), "drag": ("from_ref", "to_ref"), "scroll": ("direction", "amount"),
    "select": ("ref",), "evaluate": ("script", "ref"), "upload": ("filenames", "ref"),
    "cdp": ("method", "params"), "resize": ("width", "height"), "permission": ("name", "setting"),
    "check": ("ref",), "uncheck": ("ref",), "focus": ("ref",), "drop": ("ref", "filenames"),
    "mouse": ("mode", "x", "y"), "touch": ("mode", "ref"), "route": ("url",),
    "init_script": ("mode",),
}  # fmt: skip
"""The arguments that the script passes by position."""


def tabwarden_script(plan: Plan) -> str:
    """Return a program that needs Tabwarden."""
    run = ["Run it with `python FILE`. It needs Tabwarden: pip install tabwarden."]
    answers = any(step.answers for step in plan.steps)
    standard = [*(["os"] if plan.secrets else []), *(["time"] if answers else [])]
    tabs = ["page"]
    current = "page"
    body: list[str] = []
    body += [
        call("browser.add_init_script", path=literal(path))
        for path in plan.launch.get("init_scripts", ())
    ]
    if plan.viewport and not {"device", "viewport"} & plan.launch.keys():
        body.append(f"browser.resize({plan.viewport[0]}, {plan.viewport[1]})")
    for step in plan.steps:
        if step.tab not in tabs:
            tabs.append(step.tab)
            current = step.tab
        elif step.tab != current:
            body.append(f'browser.tabs("switch", tab_index={tabs.index(step.tab)})')
            current = step.tab
        body += lines_of(step, plan)
        if step.opens:
            tabs.append(step.opens)
        if step.action == "close_tab":
            tabs.remove(step.tab)
            current = ""
    launch = {name: literal(one) for name, one in plan.launch.items() if name != "init_scripts"}
    return joined(
        [
            *doc(plan, run),
            "from __future__ import annotations",
            "",
            *(f"import {name}" for name in standard),
            *([""] if standard else []),
            "from tabwarden.sync import Browser",
            "",
            "",
            *([*_ANSWER.splitlines(), "", ""] if answers else []),
            "def run(browser: Browser) -> None:",
            *indented(body or ["pass"]),
            "",
            "",
            'if __name__ == "__main__":',
            f"    with {call('Browser.launch', **launch)} as browser:",
            "        run(browser)",
        ]
    )


def lines_of(step: Step, plan: Plan) -> list[str]:
    """Return the Python lines that run a step and wait for its effects."""
    lines = [_does(step)]
    for one in step.answers:
        text = [] if one.text is None else [literal(one.text)]
        lines.append(call("answer", "browser", literal(one.action), *text))
    if step.files is not None:
        lines.append(f"browser.upload({literal(step.files)})")
    if plan.credentials and step is plan.steps[0]:
        lines.append(f"browser.auth({', '.join(map(literal, plan.credentials))})")
    if step.url:
        lines.append(f"browser.wait(url={literal(step.url)})")
    if step.text:
        lines.append(f"browser.wait(text={literal(step.text)})")
    return lines


def _does(step: Step) -> str:
    if step.cut:
        message = f"Step {step.number} ({step.action}): the trace contains only part of {step.cut}."
        return f"raise NotImplementedError({literal(message)})"
    if step.action == "fill" and step.target is not None:
        field = {"ref": selector(step.target), "value": step.arguments.get("value")}
        return f"browser.fill_form([{literal(field)}])"
    if step.action == "open_tab":
        return call("browser.tabs", '"open"', url=literal(step.arguments.get("url") or None))
    if step.action == "close_tab":
        return 'browser.tabs("close")'
    arguments: dict[str, Any] = dict(step.arguments)
    if step.action == "drag":
        arguments |= _named("from_", step.target) | _named("to_", step.goal)
    elif step.target is not None:
        arguments |= _named("", step.target)
    if step.any_of:
        arguments["any_of"] = [{**one.arguments, **_named("", one.target)} for one in step.any_of]
    first = [name for name in _FIRST.get(step.action, ()) if name in arguments]
    if first != list(_FIRST.get(step.action, ()))[: len(first)]:
        first = []
    named = {name: literal(one) for name, one in arguments.items() if name not in first}
    for name in {"route_id", "script_id"} & named.keys():
        named[name] = made_variable(arguments[name])
    does = call(f"browser.{step.action}", *(literal(arguments[name]) for name in first), **named)
    return f'{made_variable(step.made)} = {does}.value["id"]' if step.is_removed else does


def _named(before: str, target: Target | None) -> dict[str, Any]:
    if target is None:
        return {}
    if target.point is not None:
        return {f"{before}x": target.point[0], f"{before}y": target.point[1]}
    return {f"{before}ref": selector(target)}


def selector(target: Target) -> str:
    return selector_of(target.locators[0], target.frames)
