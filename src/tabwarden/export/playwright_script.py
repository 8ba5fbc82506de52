"""Playwright script: a program, or a test for pytest, that repeats a trace in Playwright."""

from __future__ import annotations

from tabwarden.export import in_playwright
from tabwarden.export.steps import Plan
from tabwarden.export.writing import doc, indented, joined, literal

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
    start, end = source.element_handle(), goal.element_handle()  # they stay the same in the drag
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


def playwright_script(plan: Plan) -> str:
    """Return a program that needs only Playwright."""
    run = [
        "Run it with `python FILE`, or with --headed to watch it. It needs Playwright:",
        "pip install playwright && playwright install chromium. The environment variable CHROMIUM",
        "may name the program of another Chromium.",
    ]
    names = ["Page", "sync_playwright"]
    context = {"viewport": _viewport(plan)} if plan.viewport else {}
    if plan.credentials:
        username, password = map(literal, plan.credentials)
        context["http_credentials"] = f'{{"username": {username}, "password": {password}}}'
    options = ", ".join(f"{name}={one}" for name, one in context.items())
    return joined(
        [
            *doc(plan, run),
            *_imports(plan, ["os", "sys"], names),
            *_body("def run(page: Page) -> None:", plan),
            "",
            "",
            'if __name__ == "__main__":',
            "    with sync_playwright() as playwright:",
            "        browser = playwright.chromium.launch(",
            '            headless="--headed" not in sys.argv, '
            'executable_path=os.environ.get("CHROMIUM")',
            "        )",
            f"        run(browser.new_context({options}).new_page())",
            "        browser.close()",
        ]
    )


def pytest_script(plan: Plan) -> str:
    """Return a test for pytest with the plugin pytest-playwright, whose fixture is ``page``."""
    run = ["Run it with `pytest FILE`. It needs the plugin: pip install pytest-playwright."]
    body = _body("def test_recording(page: Page) -> None:", plan)
    last = next((step.url for step in reversed(plan.steps) if step.url), "")
    if last and plan.steps[-1].tab == "page":
        body += indented([f"expect(page).to_have_url({literal(last)})"])
    settings: list[str] = []
    if plan.viewport or plan.credentials:
        given = [f'"viewport": {_viewport(plan)}'] if plan.viewport else []
        if plan.credentials:
            username, password = map(literal, plan.credentials)
            given.append(f'"http_credentials": {{"username": {username}, "password": {password}}}')
        settings = [
            "@pytest.fixture(scope=\"session\")",
            "def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:",
            f"    return {{**browser_context_args, {', '.join(given)}}}",
            "",
            "",
        ]  # fmt: skip
    names = ["Page", *(["expect"] if any("expect(" in line for line in body) else [])]
    standard = ["os"] if plan.secrets else []
    imports = _imports(plan, standard, names, pytest=bool(settings))
    return joined([*doc(plan, run), *imports, *settings, *body])


def _body(head: str, plan: Plan) -> list[str]:
    return [head, *indented(_steps(plan) or ["pass"])]


def _steps(plan: Plan) -> list[str]:
    return [line for step in plan.steps for line in in_playwright.lines_of(step)]


def _imports(
    plan: Plan, standard: list[str], names: list[str], *, pytest: bool = False
) -> list[str]:
    answers = any(step.answers for step in plan.steps)
    from_ = []
    drags = any(line.lstrip().startswith("drag(") for line in _steps(plan))
    if drags:
        names = ["ElementHandle", "Locator", *names]
    if answers:
        standard, names = [*standard, "time"], ["Dialog", *names]
        from_ = [
            "from collections.abc import Iterator",
            "from contextlib import contextmanager",
        ]
    if pytest:
        from_.append("from typing import Any")
    return [
        "from __future__ import annotations",
        "",
        *(f"import {name}" for name in standard),
        *from_,
        *([""] if standard or from_ else []),
        *(["import pytest"] if pytest else []),
        f"from playwright.sync_api import {', '.join(sorted(names, key=str.swapcase))}",
        "",
        "",
        *([*_ANSWERING.splitlines(), "", ""] if answers else []),
        *([*_DRAG.splitlines(), "", ""] if drags else []),
    ]


def _viewport(plan: Plan) -> str:
    width, height = plan.viewport or (0, 0)
    return literal({"width": width, "height": height})
