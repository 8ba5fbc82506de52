"""The pytest plugin that replaces Playwright with the shim, and classifies the outcomes."""

from __future__ import annotations

import importlib
from collections.abc import Generator
from typing import Any

import playwright.async_api
import pytest

from judges.playwright_shim.browsers import Playwright
from judges.playwright_shim.locators import expect
from judges.playwright_shim.outside import FILES, outside, reached

# The tests and their fixtures import these names after this module.
playwright.async_api.async_playwright = Playwright  # type: ignore[assignment]
playwright.async_api.expect = expect  # type: ignore[assignment]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    module = importlib.import_module("tests.async.utils")
    module.Utils.attach_frame = _attach_frame
    for item in items:
        category = FILES.get(item.path.stem)
        if category is not None:
            reason = f"not expressible: {category}: the whole file"
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def _nothing_reached() -> None:
    reached.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Count a test as not expressible even if it caught the exception from ``outside``."""
    report = yield
    if report.when == "call" and reached and report.outcome != "skipped":
        category, what = reached[0]
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, f"Skipped: not expressible: {category}: {what}")
    return report


async def _attach_frame(self: Any, page: Any, frame_id: str, url: str) -> Any:
    """Add a frame as the suite's own helper does, but without a handle."""
    if not hasattr(page, "_tree"):
        outside("handles", "attach_frame in a frame")
    async with page._attaching:
        return await _attached(page, frame_id, url)


async def _attached(page: Any, frame_id: str, url: str) -> Any:
    before = set(page.frames)
    await page.evaluate(
        """async ({ frame_id, url }) => {
            const frame = document.createElement('iframe');
            frame.src = url;
            frame.id = frame_id;
            document.body.appendChild(frame);
            await new Promise(x => frame.onload = x);
        }""",
        {"frame_id": frame_id, "url": url},
    )
    return next(frame for frame in page.frames if frame not in before)
