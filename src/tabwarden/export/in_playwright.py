"""In Playwright: each step as lines for Playwright's sync API."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tabwarden.export.steps import Step, Target
from tabwarden.export.writing import call, chord, indented, literal, modifier


def lines_of(step: Step) -> list[str]:
    """Return the Python lines that do a step and wait for what it led to."""
    does = _WRITERS.get(step.action, _unknown)(step)
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


def locator(page: str, target: Target) -> str:
    """Return the expression for an element."""
    root = page + "".join(f".frame_locator({literal(css)})" for css in target.frames)
    match target.locators[0]:
        case {"by": "role", "role": role, "name": name}:
            own = call("get_by_role", literal(role), name=literal(name), exact="True")
        case {"by": "role", "role": role}:
            own = call("get_by_role", literal(role))
        case {"by": "test_id", "text": text}:
            own = call("get_by_test_id", literal(text))
        case {"by": "css", "css": css}:
            own = call("locator", literal(str(css).replace(" >>> ", " >> ")))
        case {"by": by, "text": text}:
            own = call(f"get_by_{by}", literal(text), exact="True")
        case other:
            raise ValueError(other)
    return f"{root}.{own}"


def _position(target: Target) -> dict[str, str]:
    if target.position is None:
        return {}
    x, y = (round(one, 1) for one in target.position)
    return {"position": literal({"x": x, "y": y})}


def _is_at_point(target: Target | None) -> bool:
    return target is not None and not target.locators


def _mouse(step: Step, action: str, target: Target, **named: str) -> str:
    assert target.point is not None
    return call(f"{step.tab}.mouse.{action}", *map(literal, target.point), **named)


def _click(step: Step) -> list[str]:
    given, target = step.arguments, step.target
    assert target is not None
    named: dict[str, str] = {}
    if given.get("button", "left") != "left":
        named["button"] = literal(given["button"])
    count = int(given.get("count", 1))
    if _is_at_point(target):
        return [_mouse(step, "click", target, **named,
                       **({"click_count": str(count)} if count > 1 else {}))]  # fmt: skip
    if given.get("modifiers"):
        named["modifiers"] = literal([modifier(one) for one in given["modifiers"]])
    verb = "dblclick" if count == 2 else "click"
    if count > 2:
        named["click_count"] = str(count)
    return [call(f"{locator(step.tab, target)}.{verb}", **named, **_position(target))]


def _hover(step: Step) -> list[str]:
    assert step.target is not None
    if _is_at_point(step.target):
        return [_mouse(step, "move", step.target)]
    return [call(f"{locator(step.tab, step.target)}.hover", **_position(step.target))]


def _type(step: Step) -> list[str]:
    given, target = step.arguments, step.target
    text = literal(given.get("text", ""))
    slowly, clear = given.get("slowly"), given.get("clear")
    keyboard = f"{step.tab}.keyboard"
    if target is None or target.point is not None:
        lines = [] if target is None else _click(step)
        lines += [f'{keyboard}.press("ControlOrMeta+a")'] if clear else []
        lines.append(call(f"{keyboard}.type" if slowly else f"{keyboard}.insert_text", text))
        enter = f'{keyboard}.press("Enter")'
    else:
        field = locator(step.tab, target)
        enter = f'{field}.press("Enter")'
        if slowly or (not clear and not step.fills):
            lines = [f'{field}.press("ControlOrMeta+a")' if clear else f'{field}.press("End")']
            lines.append(call(f"{field}.press_sequentially", text))
        else:
            lines = [call(f"{field}.fill", text)]
    return [*lines, enter] if given.get("press_enter") else lines


def _fill(step: Step) -> list[str]:
    assert step.target is not None
    field, value = locator(step.tab, step.target), step.arguments.get("value")
    role = step.target.role
    if isinstance(value, bool) and role == "radio":
        return [f"{field}.check()"]
    if isinstance(value, bool):
        return [f"{field}.set_checked({value})"]
    if step.target.tag == "select":
        return [call(f"{field}.select_option", label=literal(value))]
    if role in ("combobox", "listbox") and isinstance(value, list):
        return _chosen(step, value)
    return [f"{field}.fill({literal(str(value) if isinstance(value, int | float) else value)})"]


def _select(step: Step) -> list[str]:
    assert step.target is not None
    labels, values = step.arguments.get("labels"), step.arguments.get("values")
    if step.target.tag == "select":
        by = {"label": labels} if labels is not None else {"value": values}
        named = {name: literal(one) for name, one in by.items()}
        return [call(f"{locator(step.tab, step.target)}.select_option", **named)]
    if step.target.tag == "option":
        return [
            call(f"{locator(step.tab, step.target)}.locator('xpath=ancestor::select')"
                 ".select_option", label=literal(labels))
        ]  # fmt: skip
    wanted = labels if labels is not None else values
    return _chosen(step, [wanted] if isinstance(wanted, str) else list(wanted or ()))


def _chosen(step: Step, labels: list[Any]) -> list[str]:
    """Choose in a widget that is no ``<select>``: open it, and click each option."""
    assert step.target is not None
    root = step.tab + "".join(f".frame_locator({literal(css)})" for css in step.target.frames)
    options = [
        call(f"{root}.get_by_role", '"option"', name=literal(one), exact="True") + ".click()"
        for one in labels
    ]
    opens = step.target.role == "combobox" or step.target.role == "button"
    return [*([f"{locator(step.tab, step.target)}.click()"] if opens else []), *options]


def _drag(step: Step) -> list[str]:
    source, goal, mouse = step.target, step.goal, f"{step.tab}.mouse"
    assert source is not None
    assert goal is not None
    if not source.locators or not goal.locators:
        return [
            *_move(step, source), f"{mouse}.down()", *_move(step, goal, steps="5"), f"{mouse}.up()"
        ]  # fmt: skip
    places = {
        name: f"({', '.join(literal(round(at, 1)) for at in one.offset)})"
        for name, one in (("source_at", source), ("goal_at", goal))
        if one.offset is not None
    }
    return [call("drag", locator(step.tab, source), locator(step.tab, goal), **places)]


def _move(step: Step, target: Target, **named: str) -> list[str]:
    if target.locators:
        return [call(f"{locator(step.tab, target)}.hover", **_position(target))]
    return [_mouse(step, "move", target, **named)]


def _scroll(step: Step) -> list[str]:
    direction, amount = step.arguments.get("direction", "down"), step.arguments.get("amount", 500)
    turned = amount if direction in ("down", "right") else -amount
    x, y = (0, turned) if direction in ("up", "down") else (turned, 0)
    lines = _hover(step) if step.target is not None else []
    return [*lines, call(f"{step.tab}.mouse.wheel", literal(x), literal(y))]


def _press(step: Step) -> list[str]:
    times = int(step.arguments.get("times", 1))
    press = call(f"{step.tab}.keyboard.press", literal(chord(step.arguments["key"])))
    return [press] if times == 1 else [f"for _ in range({times}):", *indented([press])]


def _evaluate(step: Step) -> list[str]:
    script, args = step.arguments.get("script", ""), step.arguments.get("args") or []
    if step.arguments.get("frame_id") or step.arguments.get("backend_node_id"):
        return _unknown(step)
    function = _as_function(str(script), of_element=step.target is not None, has_args=bool(args))
    if step.target is not None:
        given = [literal(list(args))] if args else []
        return [call(f"{locator(step.tab, step.target)}.evaluate", literal(function), *given)]
    return [
        call(f"{step.tab}.evaluate", literal(function), *([literal(list(args))] if args else []))
    ]


_FUNCTION = re.compile(r"\s*(async\b\s*)?(function\b|\([^()]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)")
_STATEMENTS = re.compile(r"\s*(const|let|var|if|for|while|do|switch|try|throw)\b|\breturn\b|;\s*\S")


def _as_function(script: str, *, of_element: bool, has_args: bool) -> str:
    """Return a script as a function that Playwright calls with the element, or an array of
    arguments, or both."""
    script = script.strip().rstrip(";")
    given = "(element, args = [])" if of_element else "(args = [])"
    if _FUNCTION.match(script):
        passed = "element, ...args" if of_element else "...args"
        return f"{given} => ({script})({passed})"
    if not of_element and not has_args and not _STATEMENTS.search(script) and "await" not in script:
        return script
    if _STATEMENTS.search(script):
        return f"async {given} => {{ {script} }}"
    return f"async {given} => ({script})"


def _wait(step: Step) -> list[str]:
    match step.arguments:
        case {"text": str(text)}:
            return [
                f"{step.tab}.get_by_text({literal(text)}).filter(visible=True).first.wait_for()"
            ]
        case {"text_gone": str(text)}:
            return [
                f'{step.tab}.get_by_text({literal(text)}).filter(visible=True).first.wait_for(state="hidden")'
            ]
        case {"selector": str(css), "state": "hidden"}:
            return [
                f'{step.tab}.locator({literal(css)}).filter(visible=True).first.wait_for(state="hidden")'
            ]
        case {"selector": str(css), "state": "gone"}:
            return [f'{step.tab}.locator({literal(css)}).first.wait_for(state="detached")']
        case {"script": str(script), **more} if more.get("frame_id") is None:
            function = _as_function(script, of_element=False, has_args=False)
            return [f"{step.tab}.wait_for_function({literal(function)})"]
        case {"selector": str(css)}:
            return [f"{step.tab}.locator({literal(css)}).filter(visible=True).first.wait_for()"]
        case {"url": str(url)}:
            return [f"{step.tab}.wait_for_url({literal(url if '*' in url else f'**{url}**')})"]
        case {"load_state": state}:
            return [f"{step.tab}.wait_for_load_state({literal(state)})"]
        case {"time_s": int() | float() as seconds}:
            return [f"{step.tab}.wait_for_timeout({literal(round(seconds * 1000))})"]
    return _unknown(step)


def _goto(step: Step) -> list[str]:
    return [f"{step.tab}.goto({literal(step.arguments.get('url', ''))})"]


def _open_tab(step: Step) -> list[str]:
    lines = [f"{step.tab} = page.context.new_page()"]
    return [*lines, *_goto(step)] if step.arguments.get("url") else lines


def _upload(step: Step) -> list[str]:
    assert step.target is not None
    files = literal(step.arguments.get("filenames", []))
    if step.target.tag == "input":
        return [f"{locator(step.tab, step.target)}.set_input_files({files})"]
    return [
        f"with {step.tab}.expect_file_chooser() as chooser:",
        f"    {locator(step.tab, step.target)}.click()",
        f"chooser.value.set_files({files})",
    ]


def _cookies(step: Step) -> list[str]:
    given = step.arguments
    if given.get("mode") == "clear":
        return [f"{step.tab}.context.clear_cookies()"]
    if given.get("mode") == "delete":
        return [call(f"{step.tab}.context.clear_cookies", name=literal(given.get("name")))]
    names = {"http_only": "httpOnly", "same_site": "sameSite"}
    cookie = {names.get(key, key): one for key, one in given.items() if key != "mode"}
    if not {"url", "domain"} & cookie.keys():
        return _unknown(step)
    return [f"{step.tab}.context.add_cookies([{literal(cookie)}])"]


def _storage(step: Step) -> list[str]:
    given = step.arguments
    area = "sessionStorage" if given.get("area") == "session" else "localStorage"
    match given.get("mode"):
        case "set":
            function = f"([key, value]) => {area}.setItem(key, value)"
            pair = literal([given.get("key", ""), given.get("value", "")])
            return [f"{step.tab}.evaluate({literal(function)}, {pair})"]
        case "delete":
            function = f"key => {area}.removeItem(key)"
            return [f"{step.tab}.evaluate({literal(function)}, {literal(given.get('key', ''))})"]
    return [f"{step.tab}.evaluate({literal(f'{area}.clear()')})"]


def _emulate(step: Step) -> list[str]:
    known = {"color_scheme", "reduced_motion", "media"}
    given = {name: one for name, one in step.arguments.items() if name in known and one}
    if given.keys() != step.arguments.keys():
        return _unknown(step)
    return [
        call(f"{step.tab}.emulate_media", **{name: literal(one) for name, one in given.items()})
    ]


def _permission(step: Step) -> list[str]:
    name = str(step.arguments.get("name", ""))
    if step.arguments.get("setting", "granted") != "granted":
        return [f"{step.tab}.context.clear_permissions()"]
    return [f"{step.tab}.context.grant_permissions([{literal(name)}])"]


def _cdp(step: Step) -> list[str]:
    if step.arguments.get("frame_id") or step.arguments.get("target_id"):
        return _unknown(step)
    method, params = step.arguments.get("method", ""), step.arguments.get("params") or {}
    session = f"{step.tab}.context.new_cdp_session({step.tab})"
    return [f"{session}.send({literal(method)}, {literal(params)})"]


def _resize(step: Step) -> list[str]:
    size = {"width": step.arguments["width"], "height": step.arguments["height"]}
    return [f"{step.tab}.set_viewport_size({literal(size)})"]


def _unknown(step: Step) -> list[str]:
    """A step that Playwright has no call for must not be passed over in silence."""
    said = f"Step {step.number} ({step.action}) has no counterpart in Playwright: write it here."
    return [f"raise NotImplementedError({literal(said)})"]


def _plain(code: str) -> Callable[[Step], list[str]]:
    return lambda step: [f"{step.tab}.{code}"]


_WRITERS: dict[str, Callable[[Step], list[str]]] = {
    "back": _plain("go_back()"), "forward": _plain("go_forward()"), "reload": _plain("reload()"),
    "close_tab": _plain("close()"), "cdp": _cdp, "click": _click, "cookies": _cookies,
    "drag": _drag, "emulate": _emulate, "evaluate": _evaluate, "fill": _fill, "goto": _goto,
    "hover": _hover, "open_tab": _open_tab, "permission": _permission, "press": _press,
    "resize": _resize, "scroll": _scroll, "select": _select, "storage": _storage, "type": _type,
    "upload": _upload, "wait": _wait,
}  # fmt: skip
