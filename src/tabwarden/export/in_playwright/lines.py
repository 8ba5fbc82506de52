"""Write each step as lines for Playwright's sync API."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.export.in_playwright import acting, network
from tabwarden.export.in_playwright.locators import unknown
from tabwarden.export.in_playwright.scripts import evaluate
from tabwarden.export.in_playwright.waits import wait
from tabwarden.export.steps import Step
from tabwarden.export.writing import call, indented, literal


def lines_of(step: Step) -> list[str]:
    """Return the Python lines that run a step and wait for its effects."""
    write = _WRITERS.get(step.action, unknown)
    does = write(step) if not step.cut else unknown(
        step, f"has more text in {step.cut} than the trace keeps"
    )  # fmt: skip
    if step.target is not None and not step.target.is_verified:
        does = ["# Tabwarden did not check while recording that this locator is unique.", *does]
    for around in _around(step):
        does = [around, *indented(does)]
    if step.opens:
        does.append(f"{step.opens} = popup.value")
    if step.files is not None:
        does.append(f"chooser.value.set_files({literal(step.files)})")
    if step.url:
        does.append(f"{step.tab}.wait_for_url({literal(step.url)})")
    if step.text:
        does.append(
            f"{step.tab}.get_by_text({literal(step.text)}).filter(visible=True).first.wait_for()"
        )
    return does


def _around(step: Step) -> list[str]:
    """Return the ``with`` lines around a step, innermost first."""
    around = []
    if step.opens:
        around.append(f"with {step.tab}.expect_popup() as popup:")
    if step.files is not None:
        around.append(f"with {step.tab}.expect_file_chooser() as chooser:")
    if step.answers:
        answers = [
            f"({literal(one.action)}, {literal(one.text)})" if one.text is not None
            else literal(one.action)
            for one in step.answers
        ]  # fmt: skip
        around.append(f"with {call('answering', step.tab, *answers)}:")
    return around


def _goto(step: Step) -> list[str]:
    return [f"{step.tab}.goto({literal(step.arguments.get('url', ''))})"]


def _open_tab(step: Step) -> list[str]:
    lines = [f"{step.tab} = page.context.new_page()"]
    return [*lines, *_goto(step)] if step.arguments.get("url") else lines


def _cookies(step: Step) -> list[str]:
    arguments = step.arguments
    if arguments.get("mode") == "clear":
        return [f"{step.tab}.context.clear_cookies()"]
    if arguments.get("mode") == "delete":
        return [call(f"{step.tab}.context.clear_cookies", name=literal(arguments.get("name")))]
    names = {"http_only": "httpOnly", "same_site": "sameSite"}
    cookie = {names.get(key, key): one for key, one in arguments.items() if key != "mode"}
    if not {"url", "domain"} & cookie.keys():
        return unknown(step)
    return [f"{step.tab}.context.add_cookies([{literal(cookie)}])"]


def _storage(step: Step) -> list[str]:
    arguments = step.arguments
    area = "sessionStorage" if arguments.get("area") == "session" else "localStorage"
    match arguments.get("mode"):
        case "set":
            function = f"([key, value]) => {area}.setItem(key, value)"
            pair = literal([arguments.get("key", ""), arguments.get("value", "")])
            return [f"{step.tab}.evaluate({literal(function)}, {pair})"]
        case "delete":
            function = f"key => {area}.removeItem(key)"
            return [
                f"{step.tab}.evaluate({literal(function)}, {literal(arguments.get('key', ''))})"
            ]
    return [f"{step.tab}.evaluate({literal(f'{area}.clear()')})"]


def _permission(step: Step) -> list[str]:
    name = str(step.arguments.get("name", ""))
    if step.arguments.get("setting", "granted") != "granted":
        return [f"{step.tab}.context.clear_permissions()"]
    return [f"{step.tab}.context.grant_permissions([{literal(name)}])"]


def _cdp(step: Step) -> list[str]:
    if step.arguments.get("frame_id") or step.arguments.get("target_id"):
        return unknown(step)
    method, params = step.arguments.get("method", ""), step.arguments.get("params") or {}
    session = f"{step.tab}.context.new_cdp_session({step.tab})"
    return [f"{session}.send({literal(method)}, {literal(params)})"]


def _resize(step: Step) -> list[str]:
    size = {"width": step.arguments["width"], "height": step.arguments["height"]}
    return [f"{step.tab}.set_viewport_size({literal(size)})"]


def _plain(code: str) -> Callable[[Step], list[str]]:
    return lambda step: [f"{step.tab}.{code}"]


_WRITERS: dict[str, Callable[[Step], list[str]]] = {
    "back": _plain("go_back()"), "forward": _plain("go_forward()"), "reload": _plain("reload()"),
    "close_tab": _plain("close()"), "cdp": _cdp, "check": acting.on_element,
    "click": acting.click, "cookies": _cookies, "drag": acting.drag, "drop": acting.drop,
    "emulate": network.emulate, "evaluate": evaluate, "fill": acting.fill,
    "focus": acting.on_element, "goto": _goto, "hover": acting.hover,
    "init_script": network.init_script, "mouse": acting.use_mouse, "open_tab": _open_tab,
    "permission": _permission, "press": acting.press, "resize": _resize, "route": network.route,
    "scroll": acting.scroll, "select": acting.select, "storage": _storage, "touch": acting.touch,
    "type": acting.type_text, "uncheck": acting.on_element, "upload": acting.upload, "wait": wait,
}  # fmt: skip
