"""Fixtures that start applications."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.applications.serving import free_port
from support.embedders import Attach, Start, running_application
from support.needs import PYSIDE6, cef_sample
from support.site import Site

from tabwarden.sync import Browser

_QT = Path(__file__).with_name("qt_application.py")


@pytest.fixture
def start_qt(site: Site, tmp_path: Path) -> Iterator[Start]:
    """Start an application with QtWebEngine."""
    with ExitStack() as stack:

        def start(body: str, *options: str) -> str:
            port = str(free_port())
            command = [PYSIDE6, _QT, site.page("/", body), *options]
            settings = {
                "QT_QPA_PLATFORM": "offscreen",
                "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox",
                "QTWEBENGINE_REMOTE_DEBUGGING": port,
            }
            return stack.enter_context(running_application(command, tmp_path, settings))

        yield start


@pytest.fixture
def start_cef(site: Site, tmp_path: Path) -> Iterator[Start]:
    """Start CEF's sample application."""
    with ExitStack() as stack:

        def start(body: str) -> str:
            sample = cef_sample()
            assert sample is not None
            flags = ["--no-sandbox", "--disable-gpu", f"--remote-debugging-port={free_port()}"]
            profile = f"--root-cache-path={tmp_path / 'profile'}"
            command = ["xvfb-run", "-a", sample, *flags, profile, f"--url={site.page('/', body)}"]
            settings = {"LD_LIBRARY_PATH": str(sample.parent)}
            return stack.enter_context(running_application(command, tmp_path, settings))

        yield start


@pytest.fixture
def qt(start_qt: Start) -> Iterator[Attach]:
    """Start an application with QtWebEngine, and attach to it."""
    with ExitStack() as stack:
        yield lambda *given: _attached(stack, start_qt(*given))


@pytest.fixture
def cef(start_cef: Start) -> Iterator[Attach]:
    """Start CEF's sample application, and attach to it."""
    with ExitStack() as stack:
        yield lambda body: _attached(stack, start_cef(body))


def _attached(stack: ExitStack, endpoint: str) -> Browser:
    """Attach to an application whose page has a button, and wait for this page."""
    browser = stack.enter_context(Browser.connect(endpoint))
    browser.wait(selector="button")
    return browser
