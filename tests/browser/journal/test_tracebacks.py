"""An error's traceback has the caller's lines and only one line from Tabwarden."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import tabwarden
from tabwarden.errors import BudgetExceeded, JsError, TabwardenError, UnknownRef
from tabwarden.sync import Browser

CALLS: list[tuple[type[TabwardenError], Callable[[Any], Any]]] = [
    (BudgetExceeded, lambda browser: browser.wait(text="never", timeout_ms=100)),
    (JsError, lambda browser: browser.evaluate("no()")),
    (UnknownRef, lambda browser: browser.click("e99999")),
]


@pytest.mark.parametrize(("kind", "call"), CALLS)
def test_error_traceback_shows_only_one_line_from_tabwarden(
    kind: type[TabwardenError], call: Callable[[Any], Any], browser: Browser
) -> None:
    async def run() -> None:
        await call(tabwarden.Browser(browser._task, browser.config))

    for way in (lambda: call(browser), lambda: asyncio.run(run())):
        with pytest.raises(kind) as raised:
            way()
        shown = "".join(traceback.format_exception(raised.value))
        assert shown.count("/src/tabwarden/") == 1
        assert "During handling" not in shown
