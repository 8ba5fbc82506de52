"""Write clicks, text, choices, drags and keys as lines for Playwright."""

from __future__ import annotations

from typing import Any

from tabwarden.export.in_playwright.locators import (
    is_at_point,
    locator,
    mouse_at,
    position,
    unknown,
)
from tabwarden.export.steps import Step, Target
from tabwarden.export.writing import call, indented, literal, modifier
from tabwarden.page.input import chord_names


def click(step: Step) -> list[str]:
    arguments, target = step.arguments, step.target
    assert target is not None
    named: dict[str, str] = {}
    if arguments.get("button", "left") != "left":
        named["button"] = literal(arguments["button"])
    count = int(arguments.get("count", 1))
    if is_at_point(target):
        return [mouse_at(step, "click", target, **named,
                       **({"click_count": str(count)} if count > 1 else {}))]  # fmt: skip
    if arguments.get("modifiers"):
        named["modifiers"] = literal([modifier(one) for one in arguments["modifiers"]])
    verb = "dblclick" if count == 2 else "click"
    if count > 2:
        named["click_count"] = str(count)
    return [call(f"{locator(step.tab, target)}.{verb}", **named, **position(target))]


def hover(step: Step) -> list[str]:
    assert step.target is not None
    if is_at_point(step.target):
        return [mouse_at(step, "move", step.target)]
    return [call(f"{locator(step.tab, step.target)}.hover", **position(step.target))]


def type_text(step: Step) -> list[str]:
    arguments, target = step.arguments, step.target
    text = literal(arguments.get("text", ""))
    slowly, clear = arguments.get("slowly"), arguments.get("clear")
    keyboard = f"{step.tab}.keyboard"
    if target is None or target.point is not None:
        lines = [] if target is None else click(step)
        lines += [f'{keyboard}.press("ControlOrMeta+a")'] if clear else []
        lines.append(call(f"{keyboard}.type" if slowly else f"{keyboard}.insert_text", text))
        enter = f'{keyboard}.press("Enter")'
    else:
        field = locator(step.tab, target)
        enter = f'{field}.press("Enter")'
        if slowly or (clear is not True and not step.fills):
            lines = [f'{field}.press("{"End" if clear is False else "ControlOrMeta+a"}")']
            lines.append(call(f"{field}.press_sequentially", text))
        else:
            lines = [call(f"{field}.fill", text)]
    return [*lines, enter] if arguments.get("press_enter") else lines


def fill(step: Step) -> list[str]:
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


def select(step: Step) -> list[str]:
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
    """Choose options in a widget that is not a ``<select>``: open the widget, and click each
    option."""
    assert step.target is not None
    root = step.tab + "".join(f".frame_locator({literal(css)})" for css in step.target.frames)
    options = [
        call(f"{root}.get_by_role", '"option"', name=literal(one), exact="True") + ".click()"
        for one in labels
    ]
    opens = step.target.role == "combobox" or step.target.role == "button"
    return [*([f"{locator(step.tab, step.target)}.click()"] if opens else []), *options]


def drag(step: Step) -> list[str]:
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
        return [call(f"{locator(step.tab, target)}.hover", **position(target))]
    return [mouse_at(step, "move", target, **named)]


def scroll(step: Step) -> list[str]:
    direction, amount = step.arguments.get("direction", "down"), step.arguments.get("amount", 500)
    turned = amount if direction in ("down", "right") else -amount
    x, y = (0, turned) if direction in ("up", "down") else (turned, 0)
    lines = hover(step) if step.target is not None else []
    return [*lines, call(f"{step.tab}.mouse.wheel", literal(x), literal(y))]


def press(step: Step) -> list[str]:
    arguments, keyboard = step.arguments, f"{step.tab}.keyboard"
    key = arguments["key"]
    keys = map(literal, chord_names(key) if isinstance(key, str) else [key])
    if (mode := arguments.get("mode", "press")) != "press":
        return [call(f"{keyboard}.{mode}", *keys)]
    held = {"delay": literal(arguments["hold_ms"])} if arguments.get("hold_ms") else {}
    presses = [call(f"{keyboard}.press", key, **held) for key in keys]
    times = int(arguments.get("times", 1))
    return presses if times == 1 else [f"for _ in range({times}):", *indented(presses)]


def on_element(step: Step) -> list[str]:
    """Return the lines for ``check``, ``uncheck`` and ``focus``."""
    assert step.target is not None
    return [f"{locator(step.tab, step.target)}.{step.action}()"]


def drop(step: Step) -> list[str]:
    target = step.target
    assert target is not None
    if is_at_point(target):
        return unknown(step, "is a drop at a point without an element")
    arguments = {"files": step.arguments.get("filenames"), "data": step.arguments.get("data")}
    payload = {name: one for name, one in arguments.items() if one}
    return [call(f"{locator(step.tab, target)}.drop", literal(payload), **position(target))]


def use_mouse(step: Step) -> list[str]:
    """Return the lines for mouse actions at points in the viewport, without an element."""
    arguments, mouse = step.arguments, f"{step.tab}.mouse"
    way = step.way
    button = (
        {}
        if arguments.get("button", "left") == "left"
        else {"button": literal(arguments["button"])}
    )
    held = {"delay": literal(arguments["hold_ms"])} if arguments.get("hold_ms") else {}
    lines = [call(f"{mouse}.move", *map(literal, point)) for point in way]
    match arguments.get("mode"):
        case "down" | "up":
            lines.append(call(f"{mouse}.{arguments['mode']}", **button))
        case "click":
            count = (
                {"click_count": literal(arguments["count"])}
                if arguments.get("count", 1) > 1
                else {}
            )
            lines = [call(f"{mouse}.click", *map(literal, way[0]), **held, **button, **count)]
        case "wheel":
            turned = arguments.get("delta_x", 0), arguments.get("delta_y", 0)
            lines.append(call(f"{mouse}.wheel", *map(literal, turned)))
        case "drag":
            lines = [lines[0], f"{mouse}.down()"]
            lines += [call(f"{mouse}.move", *map(literal, to), steps="5") for to in way[1:]]
            lines.append(f"{mouse}.up()")
    keys = [literal(modifier(one)) for one in arguments.get("modifiers") or ()]
    keyboard = f"{step.tab}.keyboard"
    return [
        *(f"{keyboard}.down({key})" for key in keys),
        *lines,
        *(f"{keyboard}.up({key})" for key in keys),
    ]


def touch(step: Step) -> list[str]:
    arguments, target = step.arguments, step.target
    way = step.way
    at = locator(step.tab, target) if target is not None else f"({', '.join(map(literal, way[0]))})"
    if arguments["mode"] == "pinch":
        return [call("pinch", step.tab, at, literal(arguments["scale"]))]
    named = {"hold_ms": literal(arguments["hold_ms"])} if arguments.get("hold_ms") else {}
    if arguments["mode"] == "swipe":
        by = (round(end - start, 1) for start, end in zip(way[0], way[-1], strict=True))
        named = {"by": f"({', '.join(map(literal, by))})", **named}
    return [call("touch", step.tab, at, **named)]


def upload(step: Step) -> list[str]:
    assert step.target is not None
    files = literal(step.arguments.get("filenames", []))
    if step.target.tag == "input":
        return [f"{locator(step.tab, step.target)}.set_input_files({files})"]
    return [
        f"with {step.tab}.expect_file_chooser() as chooser:",
        f"    {locator(step.tab, step.target)}.click()",
        f"chooser.value.set_files({files})",
    ]
