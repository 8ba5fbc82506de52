"""Whether each member of the two toolsets works: judged by what the page received, or by what the
call returned. A check returns why the member does not work, or None."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from judges.drivers.hands import Hands, Reply

__all__ = ["ANTHROPIC", "OPENAI", "Check"]

Check = Callable[[Any], str | None]
PAGE = "/members.html"
PAD = (600, 100, 1000, 400)
"""The colored rectangle of the page: left, top, right, bottom."""
SCROLLBAR = 20
"""A screenshot may lack the scrollbar."""
RED, BLUE = (255, 0, 0), (0, 0, 255)
LEFT = {"x": 700, "y": 200}
RIGHT = {"x": 900, "y": 300}


def _ok(reply: Reply) -> str | None:
    return f"it failed: {reply.text[:120]}" if reply.failed else None


def _heard(hands: Hands, report: str, reply: Reply | None = None) -> str | None:
    if reply is not None and reply.failed:
        return _ok(reply)
    return None if hands.hears(report) else f"the page did not report {report}"


def _target(ref: str) -> dict[str, Any]:
    return {"target": {"type": "ref", "ref": ref}}


def _at(point: dict[str, int]) -> dict[str, Any]:
    return {"target": {"type": "coordinate", **point}}


# -- both contracts --------------------------------------------------------------------------------


def navigate(hands: Hands) -> str | None:
    hands.open("/chapter.html")
    if not hands.hears("shown/chapter.html"):
        return "the page was not loaded"
    for word, path in (("back", PAGE), ("forward", "/chapter.html"), ("reload", "/chapter.html")):
        hands.site.hits.clear()
        reply = hands.call("navigate", url=word)
        if why := _heard(hands, f"shown{path}", reply):
            return f"{word}: {why}"
    return None


def navigate_url(hands: Hands) -> str | None:
    return _heard(hands, "shown/chapter.html", hands.open("/chapter.html"))


def read_page(hands: Hands) -> str | None:
    whole, controls = hands.read(), hands.read(everything=False)
    for name in ("Save order", "Street", "Far away"):
        if name not in whole.text:
            return f"{name!r} is missing"
    if "Nothing has happened" not in whole.text:
        return "the paragraph is missing"
    if "Nothing has happened" in controls.text:
        return "the filter 'interactive' shows a paragraph"
    return None if hands.ref("Save order", controls) else "the button has no ref"


def find(hands: Hands) -> str | None:
    reply = hands.call("find", query="save order button")
    return _ok(reply) or (None if hands.ref("Save order", reply) else "it does not find the button")


def find_text(hands: Hands) -> str | None:
    reply = hands.call("find", query="Save order")
    return _ok(reply) or (None if hands.ref("Save order", reply) else "it does not find the button")


def get_page_text(hands: Hands) -> str | None:
    hands.click_named("Save order")
    hands.hears("click/save")
    reply = hands.text()
    return _ok(reply) or (
        None if reply.says("order is saved") else "the page's new text is missing"
    )


def screenshot(hands: Hands) -> str | None:
    reply = hands.call("screenshot")
    if not reply.image:
        return _ok(reply) or "there is no image"
    picture = reply.picture()
    window = hands.hears("size-of-window/")
    width, height = (int(one) for one in window.split("/")[1:3])
    if abs(picture.width - width) > SCROLLBAR or abs(picture.height - height) > SCROLLBAR:
        return f"the image is {picture.size}, the window {width} x {height}"
    colors = [picture.getpixel((point["x"], point["y"])) for point in (LEFT, RIGHT)]
    return None if colors == [RED, BLUE] else f"the colors are {colors}"


def zoom(hands: Hands) -> str | None:
    reply = hands.call("zoom", region=list(PAD))
    if not reply.image:
        return _ok(reply) or "there is no image"
    picture = reply.picture()
    if abs(picture.width / picture.height - 4 / 3) > 0.02 or picture.width < 400:
        return f"the image is {picture.size}"
    middle = picture.height // 2
    ends = [picture.getpixel((x, middle)) for x in (picture.width // 4, picture.width * 3 // 4)]
    inset = picture.width // 32
    edges = [picture.getpixel((x, middle)) for x in (inset, picture.width - inset)]
    return None if ends == edges == [RED, BLUE] else f"the colors are {edges}, {ends}"


def new_tab(hands: Hands) -> str | None:
    before = hands.call("list_tabs")
    given = {} if hands.contract == "anthropic" else {"url": f"{hands.site.here}/chapter.html"}
    reply = hands.call("new_tab", **given)
    opened = len(reply.tabs) == len(before.tabs) + 1
    if reply.failed or not opened or reply.active in ("", before.active):
        return _ok(reply) or f"the tabs are {reply.tabs}"
    if given and not hands.hears("shown/chapter.html"):
        return "it did not load the URL"
    return None


def list_tabs(hands: Hands) -> str | None:
    reply = hands.call("list_tabs")
    urls = [tab["url"] for tab in reply.tabs]
    return _ok(reply) or (None if hands.site.here in " ".join(urls) else f"the tabs are {urls}")


def _two_tabs(hands: Hands) -> tuple[str, str]:
    first = hands.call("list_tabs").active
    given = {} if hands.contract == "anthropic" else {"url": None}
    return first, hands.call("new_tab", **given).active


def switch_tab(hands: Hands) -> str | None:
    first, second = _two_tabs(hands)
    reply = hands.call("switch_tab", tab_id=first)
    if reply.failed or reply.active != first or first == second:
        return _ok(reply) or f"the active tab is {reply.active!r}"
    return None if hands.read().says("Save order") else "a read shows another tab"


def close_tab(hands: Hands) -> str | None:
    first, second = _two_tabs(hands)
    reply = hands.call("close_tab", tab_id=second)
    left = [tab.get("tab_id") or tab["id"] for tab in reply.tabs]
    gone = first in left and second not in left and reply.active in left
    return _ok(reply) or (None if gone else f"the tabs are {reply.tabs}")


def scroll_to(hands: Hands) -> str | None:
    ref = hands.ref("Far away")
    given = _target(ref) if hands.contract == "anthropic" else {"target": ref}
    return _heard(hands, "far", hands.call("scroll_to", **given))


def hover(hands: Hands) -> str | None:
    ref = hands.ref("Save order")
    given = _target(ref) if hands.contract == "anthropic" else {"target": ref}
    return _heard(hands, "enter/save", hands.call("hover", **given))


# -- Anthropic's -----------------------------------------------------------------------------------


def _click(member: str, report: str) -> Check:
    def check(hands: Hands) -> str | None:
        reply = hands.call(member, **_target(hands.ref("Save order")))
        if why := _heard(hands, report.format("save"), reply):
            return why
        reply = hands.call(member, **_at(LEFT), modifiers="ctrl+shift")
        return _heard(hands, report.format("pad") + "/ctrl%2Bshift", reply)

    return check


def left_click_drag(hands: Hands) -> str | None:
    given = {"from": {"type": "coordinate", **LEFT}, **_at(RIGHT)}
    reply = hands.call("left_click_drag", **given)
    return _dragged(hands, reply)


def _dragged(hands: Hands, reply: Reply) -> str | None:
    return (
        _heard(hands, "mousedown/700%2C200", reply)
        or _heard(hands, "move/900%2C300")
        or _heard(hands, "mouseup/900%2C300")
    )


def mouse_move(hands: Hands) -> str | None:
    return _heard(hands, "move/700%2C200", hands.call("mouse_move", **_at(LEFT)))


def left_mouse_down(hands: Hands) -> str | None:
    reply = hands.call("left_mouse_down", **_at(LEFT))
    why = _heard(hands, "mousedown/700%2C200", reply)
    released = hands.hears("mouseup", 0.2)
    hands.call("left_mouse_up", **_at(LEFT))
    return why or ("it released the button too" if released else None)


def left_mouse_up(hands: Hands) -> str | None:
    hands.call("left_mouse_down", **_at(LEFT))
    return _heard(hands, "mouseup/900%2C300", hands.call("left_mouse_up", **_at(RIGHT)))


def scroll(hands: Hands) -> str | None:
    reply = hands.call("scroll", **_at(LEFT), scroll_direction="down", scroll_amount=5)
    return _heard(hands, "scroll/", reply)


def type_at_focus(hands: Hands) -> str | None:
    hands.click_named("Street")
    return _heard(
        hands, "street/Gr%C3%BC%C3%9Fe%2C%20%E6%9D%B1", hands.call("type", text="Grüße, 東")
    )


def key(hands: Hands) -> str | None:
    hands.click_named("Street")
    reply = hands.call("key", text="Return", repeat=2)
    if why := _heard(hands, "keydown/Enter/none", reply):
        return why
    return _heard(hands, "keydown/b/ctrl", hands.call("key", text="ctrl+b"))


def hold_key(hands: Hands) -> str | None:
    hands.click_named("Street")
    reply = hands.call("hold_key", text="x", duration=0.5)
    if why := _heard(hands, "keydown/x/", reply) or _heard(hands, "keyup/x/"):
        return why
    held = int(hands.hears("keyup/x/").rpartition("/")[2])
    return None if 400 <= held <= 1500 else f"the key was held for {held} ms"


def form_input(hands: Hands) -> str | None:
    wanted: tuple[tuple[str, str | bool, str], ...] = (
        ("Street", "Main Street 5", "street/Main%20Street%205"),
        ("Agree", True, "agree/true"),
        ("Size", "Grand", "size/g"),
        ("Size", "s", "size/s"),
    )
    for name, value, report in wanted:
        ref = hands.ref(name, hands.read(everything=False))
        reply = hands.call("form_input", **_target(ref), value=value)
        if why := _heard(hands, report, reply):
            return f"{name} = {value}: {why}"
    return None


def wait(hands: Hands) -> str | None:
    reply = hands.call("wait", duration=1)
    return _ok(reply) or (None if 0.95 <= reply.seconds < 3 else f"it took {reply.seconds:.1f} s")


def file_upload(hands: Hands) -> str | None:
    path = hands.driver.uploads / "photo.png"
    path.write_bytes(b"\x89PNG")
    reply = hands.call("file_upload", **_target(hands.ref("Photo")), paths=[str(path)])
    return _heard(hands, "photo/photo.png/4", reply)


def read_console(hands: Hands) -> str | None:
    reply = hands.call("read_console")
    return _ok(reply) or (None if reply.says("lamp is broken") else "the page's error is missing")


def read_network(hands: Hands) -> str | None:
    reply = hands.call("read_network")
    shown = reply.says("missing.json") and reply.says("404")
    return _ok(reply) or (None if shown else "the page's failed request is missing")


def javascript_exec(hands: Hands) -> str | None:
    for script, value in (
        ("document.title", "Members"),
        ("let lamp = 20; lamp + 1", "21"),
        ("let lamp = 30; lamp + 1", "31"),
    ):
        reply = hands.run(script)
        if reply.failed or value not in reply.text:
            return f"{script!r} returned {reply.text[:80]!r}"
    return None


ANTHROPIC: dict[str, Check] = {
    "navigate": navigate,
    "screenshot": screenshot,
    "zoom": zoom,
    "left_click": _click("left_click", "click/{}/0/1"),
    "right_click": _click("right_click", "contextmenu/{}/2/0"),
    "middle_click": _click("middle_click", "auxclick/{}/1/1"),
    "double_click": _click("double_click", "dblclick/{}/0/2"),
    "triple_click": _click("triple_click", "click/{}/0/3"),
    "hover": hover,
    "left_click_drag": left_click_drag,
    "left_mouse_down": left_mouse_down,
    "left_mouse_up": left_mouse_up,
    "mouse_move": mouse_move,
    "scroll": scroll,
    "scroll_to": scroll_to,
    "type": type_at_focus,
    "key": key,
    "hold_key": hold_key,
    "form_input": form_input,
    "read_page": read_page,
    "find": find,
    "get_page_text": get_page_text,
    "wait": wait,
    "file_upload": file_upload,
    "read_console": read_console,
    "read_network": read_network,
    "javascript_exec": javascript_exec,
    "new_tab": new_tab,
    "list_tabs": list_tabs,
    "switch_tab": switch_tab,
    "close_tab": close_tab,
}


# -- OpenAI's --------------------------------------------------------------------------------------


def click(hands: Hands) -> str | None:
    return _heard(hands, "click/save/0/1", hands.click_named("Save order"))


def click_at(hands: Hands) -> str | None:
    given = {"button": "left", "click_count": 2, "keys": ["Control", "Shift"]}
    return _heard(hands, "dblclick/pad/0/2/ctrl%2Bshift", hands.call("click_at", **LEFT, **given))


def hover_at(hands: Hands) -> str | None:
    return _heard(hands, "move/700%2C200", hands.call("hover_at", **LEFT))


def drag_path(hands: Hands) -> str | None:
    path = [LEFT, {"x": 800, "y": 220}, RIGHT]
    return _dragged(hands, hands.call("drag_path", path=path, keys=[]))


def type_into(hands: Hands) -> str | None:
    ref = hands.ref("Street")
    if why := _heard(hands, "street/Main%20Street", hands.type(ref, "Main Street")):
        return why
    if why := _heard(hands, "street/Elm%20Road", hands.type(ref, "Elm Road")):
        return f"it does not replace the text: {why}"
    hands.click(ref)
    hands.press("End")
    reply = hands.call("type", target=None, text=" 7 東")
    return _heard(hands, "street/Elm%20Road%207%20%E6%9D%B1", reply)


def press_keys(hands: Hands) -> str | None:
    hands.click_named("Street")
    if why := _heard(hands, "keydown/Enter/none", hands.press("Enter")):
        return why
    return _heard(hands, "keydown/b/ctrl", hands.press("Control", "b"))


def hold_keys(hands: Hands) -> str | None:
    hands.click_named("Street")
    reply = hands.call("hold_keys", keys=["x"], duration_ms=500)
    if why := _heard(hands, "keydown/x/", reply) or _heard(hands, "keyup/x/"):
        return why
    held = int(hands.hears("keyup/x/").rpartition("/")[2])
    return None if 400 <= held <= 1500 else f"the key was held for {held} ms"


def scroll_page(hands: Hands) -> str | None:
    return _heard(hands, "scroll/", hands.call("scroll", direction="down", amount=5))


def select_option(hands: Hands) -> str | None:
    return _heard(hands, "size/g", hands.choose(hands.ref("Size"), "g"))


def set_checked(hands: Hands) -> str | None:
    ref = hands.ref("Agree")
    if why := _heard(hands, "agree/true", hands.call("set_checked", target=ref, checked=True)):
        return why
    hands.site.hits.clear()
    reply = hands.call("set_checked", target=ref, checked=True)
    return _ok(reply) or (
        "the second call unchecked the box" if hands.hears("agree", 0.3) else None
    )


def wait_for(hands: Hands) -> str | None:
    hands.run("setTimeout(() => { state.textContent = 'The lamp\\n is on' }, 300)")
    reply = hands.call("wait_for", text="The lamp is on", timeout_ms=5000)
    return _ok(reply) or (None if reply.seconds < 2 else f"it took {reply.seconds:.1f} s")


def read_page_scoped(hands: Hands) -> str | None:
    given = {"depth": 10, "filter": "all"}
    reply = hands.call("read_page_scoped", root=None, **given)
    found = re.search(r"^(\S+) scope .*Chapters", reply.text, re.MULTILINE)
    if found is None:
        return _ok(reply) or "the navigation is not one of the scopes"
    reply = hands.call("read_page_scoped", root=found[1], **given)
    if "Chapter one" not in reply.text:
        return _ok(reply) or "the scope's content is missing"
    return "the scope shows the whole page" if "Save order" in reply.text else None


def read_diagnostics(hands: Hands) -> str | None:
    console = hands.call("read_diagnostics", source="console", limit=50)
    if not console.says("lamp is broken"):
        return _ok(console) or "the page's error is missing"
    network = hands.call("read_diagnostics", source="network", limit=100)
    return _ok(network) or (None if network.says("404") else "the failed request is missing")


def run_script(hands: Hands) -> str | None:
    for script in ("document.title", "return document.title"):
        reply = hands.run(script)
        if not reply.failed and "Members" in reply.text:
            return None
    return f"no way of writing a script returned the title: {reply.text[:80]}"


def upload_file(hands: Hands) -> str | None:
    path = hands.driver.uploads / "photo.png"
    path.write_bytes(b"\x89PNG")
    ref = hands.ref("Photo")
    grant = hands.driver.order("grant", input=["upload", str(path), ref, ""]).body
    if "grant" not in grant:
        return str(grant)
    return _heard(hands, "photo/photo.png/4", hands.call("upload_file", grant_id=grant["grant"]))


def download_file(hands: Hands) -> str | None:
    path = hands.driver.folder / "paper.txt"
    hands.click_named("Get paper")
    time.sleep(0.5)
    url = f"{hands.site.here}/paper.txt"
    grant = hands.driver.order("grant", input=["download", str(path), "", url]).body
    if "grant" not in grant:
        return str(grant)
    reply = hands.call("download_file", grant_id=grant["grant"])
    arrived = [one.read_text("utf-8") for one in hands.driver.folder.rglob("paper.txt")]
    return _ok(reply) or (None if "A paper." in arrived else f"no file came: {reply.text[:80]}")


OPENAI: dict[str, Check] = {
    "navigate": navigate_url,
    "read_page": read_page,
    "get_page_text": get_page_text,
    "find": find_text,
    "click": click,
    "type": type_into,
    "key": press_keys,
    "scroll": scroll_page,
    "select_option": select_option,
    "hover": hover,
    "screenshot": screenshot,
    "zoom": zoom,
    "new_tab": new_tab,
    "list_tabs": list_tabs,
    "switch_tab": switch_tab,
    "close_tab": close_tab,
    "scroll_to": scroll_to,
    "wait_for": wait_for,
    "hover_at": hover_at,
    "set_checked": set_checked,
    "click_at": click_at,
    "drag_path": drag_path,
    "hold_keys": hold_keys,
    "read_page_scoped": read_page_scoped,
    "read_diagnostics": read_diagnostics,
    "run_script": run_script,
    "upload_file": upload_file,
    "download_file": download_file,
}
