"""Write a program or a pytest test that repeats a trace with Playwright."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.export.in_playwright import context_of, expected_url, lines_of, parts_of
from tabwarden.export.steps import Plan
from tabwarden.export.writing import call, doc, indented, joined, literal

_CONTEXT = {
    "ignore_https_errors": "ignore_https_errors", "user_agent": "user_agent", "locale": "locale",
    "timezone": "timezone_id",
}  # fmt: skip
"""Launch options that Playwright sets for a context, with their names in Playwright."""


def playwright_script(plan: Plan) -> str:
    """Return a program that needs only Playwright."""
    run = [
        "Run it with `python FILE`, or with --headed to watch it. It needs Playwright:",
        "pip install playwright && playwright install chromium. To use another Chromium, set the",
        "environment variable CHROMIUM to its path.",
        *_left_out(plan),
    ]
    body = _steps(plan)
    launch = {"headless": '"--headed" not in sys.argv',
              "executable_path": 'os.environ.get("CHROMIUM")', **_launched(plan)}  # fmt: skip
    return joined(
        [
            *doc(plan, run),
            *_head(body, modules=["os", "sys"], names=["Page", "sync_playwright"]),
            *_function("def run(page: Page) -> None:", body),
            "",
            "",
            'if __name__ == "__main__":',
            "    with sync_playwright() as playwright:",
            "        browser = playwright.chromium.launch(",
            *(f"            {name}={one}," for name, one in launch.items()),
            "        )",
            f"        run({call('browser.new_context', **_context(plan))}.new_page())",
            "        browser.close()",
        ]
    )


def pytest_script(plan: Plan) -> str:
    """Return a test for pytest with the plugin pytest-playwright. The plugin's fixture is
    ``page``."""
    run = ["Run it with `pytest FILE`. It needs the plugin: pip install pytest-playwright."]
    body = _steps(plan)
    last = next((step.url for step in reversed(plan.steps) if step.url), "")
    if last and plan.steps[-1].tab == "page":
        body.append(f"expect(page).to_have_url({expected_url(last)})")
    settings = [
        *_fixture("browser_context_args", _context(plan)),
        *_fixture("browser_type_launch_args", _launched(plan)),
    ]
    modules = ["os"] if plan.secrets else []
    head = _head(body, modules=modules, names=["Page"], pytest=bool(settings))
    test = _function("def test_recording(page: Page) -> None:", body)
    return joined([*doc(plan, [*run, *_left_out(plan)]), *head, *settings, *test])


def _fixture(name: str, arguments: Mapping[str, str]) -> list[str]:
    """Return a fixture for pytest-playwright that adds arguments to a launch or a context."""
    if not arguments:
        return []
    more = ", ".join(f"{literal(key)}: {one}" for key, one in arguments.items())
    return [
        '@pytest.fixture(scope="session")',
        f"def {name}({name}: dict[str, Any]) -> dict[str, Any]:",
        f"    return {{**{name}, {more}}}",
        "",
        "",
    ]


def _launched(plan: Plan) -> dict[str, str]:
    """Return the arguments that a launch in Playwright needs in addition to the default
    arguments."""
    arguments = {name: one for name in ("args", "proxy") if (one := plan.launch.get(name))}
    return {name: literal(one) for name, one in arguments.items()}


def _context(plan: Plan) -> dict[str, str]:
    """Return the arguments for Playwright's ``new_context``."""
    options: dict[str, Any] = {}
    if plan.viewport:
        width, height = plan.viewport
        options["viewport"] = {"width": width, "height": height}
    options |= context_of(plan.launch)
    options |= {name: plan.launch[ours] for ours, name in _CONTEXT.items() if plan.launch.get(ours)}
    if plan.credentials:
        options["http_credentials"] = dict(
            zip(("username", "password"), plan.credentials, strict=True)
        )
    return {name: literal(one) for name, one in options.items()}


def _left_out(plan: Plan) -> list[str]:
    """Return a comment about the launch options that the script omits."""
    names = [name for name in ("ca", "extensions") if plan.launch.get(name)]
    if not names:
        return []
    return [
        "",
        f"The recorded browser also had these launch options, which the script does not set: "
        f"{', '.join(names)}.",
    ]


def _steps(plan: Plan) -> list[str]:
    scripts = plan.launch.get("init_scripts", ())
    before = [call("page.context.add_init_script", path=literal(path)) for path in scripts]
    return [*before, *(line for step in plan.steps for line in lines_of(step))]


def _function(head: str, body: list[str]) -> list[str]:
    return [head, *indented(body or ["pass"])]


def _head(
    body: list[str], *, modules: list[str], names: list[str], pytest: bool = False
) -> list[str]:
    """Return a script's imports and the functions that its lines call."""
    parts = parts_of(body)
    modules = sorted({*modules, *(one for part in parts for one in part.modules)})
    names = sorted({*names, *(one for part in parts for one in part.names)}, key=str.swapcase)
    from_ = {line for part in parts for line in part.from_} | (
        {"from typing import Any"} if pytest else set()
    )
    return [
        "from __future__ import annotations",
        "",
        *(f"import {name}" for name in modules),
        *sorted(from_),
        *([""] if modules or from_ else []),
        *(["import pytest"] if pytest else []),
        f"from playwright.sync_api import {', '.join(names)}",
        "",
        "",
        *(line for part in parts if part.source for line in [*part.source.splitlines(), "", ""]),
    ]
