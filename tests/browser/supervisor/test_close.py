"""A browser closes at once, whatever its page or a call does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.needs import needs, whole_chromium
from support.pace import in_time
from support.running import running_chromium
from support.site import Site

from tabwarden.errors import BrowserGone, TabwardenError
from tabwarden.sync import Browser

CLOSE_S = 1.0
LOOP = "<button onclick='for (;;);'>Loop</button>"


def ended(call: Callable[[], Any]) -> tuple[threading.Thread, list[TabwardenError]]:
    """Run a call in a thread; return the thread and the list of the call's errors."""
    errors: list[TabwardenError] = []

    def run() -> None:
        try:
            call()
        except TabwardenError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, errors


def closes_amid_a_hang(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", LOOP))
    loop = browser.snapshot().ref("Loop")
    thread, errors = ended(lambda: browser.click(loop, timeout_ms=20_000))
    time.sleep(0.3)  # the script loops
    with in_time(CLOSE_S):
        browser.close()
        thread.join()
    assert [type(error) for error in errors] == [BrowserGone]


@pytest.mark.parametrize("kind", ["own", pytest.param("whole", marks=needs("chromium"))])
def test_launched_browser_closes_at_once_while_a_call_waits_for_a_hung_page(
    kind: str, site: Site
) -> None:
    executable = whole_chromium() if kind == "whole" else None
    closes_amid_a_hang(Browser.launch(executable=executable), site)


@pytest.mark.parametrize("context", ["shared", "own", "window"])
@pytest.mark.parametrize("kind", ["own", pytest.param("whole", marks=needs("chromium"))])
def test_attached_browser_is_left_at_once_while_a_call_waits_for_a_hung_page(
    kind: str, context: Any, site: Site, folder: Path
) -> None:
    executable = whole_chromium() if kind == "whole" else None
    with running_chromium(folder, executable=executable) as port:
        closes_amid_a_hang(Browser.connect(f"http://127.0.0.1:{port}", context=context), site)
