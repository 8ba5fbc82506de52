"""The worker's browser for each test's tools, and pages that report when they are reached."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from browser.tools.shop import Shop
from support.shared import Shared
from support.site import Site

from tabwarden.sync import Browser
from tabwarden.tools import Tools


@pytest.fixture
def browser(shared: Shared) -> Iterator[Browser]:
    """The worker's browser with one fresh tab."""
    browser = shared.fresh()
    before = browser.config
    yield browser
    browser.configure(before)


@pytest.fixture
def tools(browser: Browser) -> Tools:
    """The browser's tools."""
    return Tools(browser)


@pytest.fixture
def shop() -> Iterator[Shop]:
    began = threading.Event()

    def begin(request: BaseHTTPRequestHandler) -> None:
        began.set()
        request.send_response(204)
        request.end_headers()

    with Site() as site:
        site.pages["/began"] = begin
        url = site.page("/shop", "<button onclick='document.title = 1'>Buy</button>", title="Shop")
        yield Shop(site, url, began)
