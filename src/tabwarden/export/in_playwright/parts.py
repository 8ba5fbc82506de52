"""Functions that a script for Playwright contains if its lines call them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The source code of a function, and the imports and other parts that it needs."""

    source: str
    names: tuple[str, ...] = ()
    """The names that the function imports from Playwright."""
    modules: tuple[str, ...] = ()
    from_: tuple[str, ...] = ()
    """Lines that import from the standard library."""


_ANSWERING = '''@contextmanager
def answering(page: Page, *answers: str | tuple[str, str]) -> Iterator[None]:
    """Answer the page's next dialogs in this order, and wait until all of them have opened."""
    left = list(answers)

    def answer(dialog: Dialog) -> None:
        how = left.pop(0) if left else "dismiss"
        if how == "dismiss":
            dialog.dismiss()
        elif how == "accept":
            dialog.accept()
        else:
            dialog.accept(how[1])

    page.on("dialog", answer)
    try:
        yield
        deadline = time.monotonic() + 30
        while left and time.monotonic() < deadline:
            page.wait_for_timeout(50)
        assert not left, f"{len(left)} expected dialogs did not open"
    finally:
        page.remove_listener("dialog", answer)
'''
_DRAG = '''Place = tuple[float, float] | None


def drag(source: Locator, goal: Locator, source_at: Place = None, goal_at: Place = None) -> None:
    """Drag between places in two elements, or their middles, with several small moves."""
    mouse = source.page.mouse
    start, end = source.element_handle(), goal.element_handle()  # stable during the drag
    end.scroll_into_view_if_needed()
    start.scroll_into_view_if_needed()
    x, y = inside(start, source_at)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 8, y + 8)
    mouse.move(*inside(end, goal_at), steps=5)
    mouse.move(*inside(end, goal_at))
    mouse.up()


def inside(element: ElementHandle, at: Place) -> tuple[float, float]:
    """Return the point of the viewport at a place in an element."""
    box = element.bounding_box()
    assert box is not None
    x, y = at or (box["width"] / 2, box["height"] / 2)
    return box["x"] + x, box["y"] + y
'''
_TOUCH = '''def touch(
    page: Page,
    at: Locator | tuple[float, float],
    by: tuple[float, float] = (0, 0),
    hold_ms: float = 0,
) -> None:
    """Put a finger on an element or a point, move it by a distance, and lift it."""
    x, y = place(at)
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y})
    page.wait_for_timeout(hold_ms)
    for step in range(1, 13) if by != (0, 0) else ():
        page.wait_for_timeout(16)
        send("touchMove", {"x": x + by[0] * step / 12, "y": y + by[1] * step / 12})
    send("touchEnd")
    session.detach()


def pinch(page: Page, at: Locator | tuple[float, float], scale: float) -> None:
    """Zoom with two fingers."""
    x, y = place(at)
    session = page.context.new_cdp_session(page)
    session.send("Input.synthesizePinchGesture", {"x": x, "y": y, "scaleFactor": scale})
    session.detach()


def place(at: Locator | tuple[float, float]) -> tuple[float, float]:
    """Return the middle of an element in the viewport, or the point itself."""
    if isinstance(at, tuple):
        return at
    at.scroll_into_view_if_needed()
    box = at.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
'''
_ROUTE = '''def add_route(
    page: Page,
    url: str | re.Pattern[str],
    *,
    method: str = "",
    types: Sequence[str] = (),
    times: int | None = None,
    delay_ms: float = 0,
    abort: str | None = None,
    headers: dict[str, str | None] | None = None,
    **answer: Any,
) -> Callable[[], None]:
    """Fail, answer, change or delay requests in all pages; return a function that undoes it."""
    taken = 0

    def handle(route: Route) -> None:
        nonlocal taken
        request = route.request
        is_meant = request.method == (method.upper() or request.method) and (
            not types or request.resource_type in types
        )
        if not is_meant or taken == times:
            route.fallback()
            return
        taken += 1
        if delay_ms:
            page.wait_for_timeout(delay_ms)
        if abort is not None:
            route.abort(abort)
        elif answer:
            route.fulfill(headers=headers, **answer)
        else:
            changed = {name.lower(): value for name, value in (headers or {}).items()}
            both = request.all_headers() | changed
            route.continue_(headers={n: one for n, one in both.items() if one is not None})

    page.context.route(url, handle)
    return lambda: page.context.unroute(url, handle)
'''
_EMULATE = '''def emulate(page: Page, commands: dict[str, dict[str, Any]]) -> None:
    """Emulate a device, location or network in this page only."""
    session = page.context.new_cdp_session(page)
    for method, params in commands.items():
        session.send(method, params)
'''
_WAIT_FOR_ANY = '''def wait_for_any(
    page: Page, *conditions: Callable[[], Any], at_most_s: float = 30, then_ends: bool = False
) -> None:
    """Wait until a condition is true; with ``then_ends``, at most until the time limit."""

    def holds(condition: Callable[[], Any]) -> bool:
        try:
            return bool(condition())
        except Error:  # the page navigates
            return False

    deadline = time.monotonic() + at_most_s
    while not any(map(holds, conditions)):
        if time.monotonic() > deadline:
            assert then_ends, "none of the conditions became true"
            return
        page.wait_for_timeout(50)
'''
_CALLABLE = "from collections.abc import Callable"
_ANY = "from typing import Any"
_TOUCHING = Part(source=_TOUCH, names=("Locator",))
_PARTS = {
    "answering": Part(
        source=_ANSWERING,
        names=("Dialog",),
        modules=("time",),
        from_=("from collections.abc import Iterator", "from contextlib import contextmanager"),
    ),
    "drag": Part(source=_DRAG, names=("ElementHandle", "Locator")),
    "touch": _TOUCHING,
    "pinch": _TOUCHING,
    "add_route": Part(
        source=_ROUTE,
        names=("Route",),
        modules=("re",),
        from_=("from collections.abc import Callable, Sequence", _ANY),
    ),
    "emulate": Part(source=_EMULATE, from_=(_ANY,)),
    "wait_for_any": Part(
        source=_WAIT_FOR_ANY, names=("Error",), modules=("time",), from_=(_CALLABLE, _ANY)
    ),
    "expect": Part(source="", names=("expect",)),
    "re": Part(source="", modules=("re",)),
}
"""The parts, keyed by the name of the function or module that the lines use."""


def parts_of(lines: Sequence[str]) -> list[Part]:
    """Return the parts that these lines of Python need."""
    called = set()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Call):
            function = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            called.add(function.id if isinstance(function, ast.Name) else "")
    parts = [part for name, part in _PARTS.items() if name in called]
    return list(dict.fromkeys(parts))
