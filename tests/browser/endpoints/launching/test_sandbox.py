"""The configuration option for Chromium's sandbox."""

from __future__ import annotations

import pytest
from support.needs import needs

from tabwarden.config import BrowserConfig
from tabwarden.errors import LaunchFailed
from tabwarden.sync import Browser


@needs("root")  # only root has no sandbox
def test_launch_fails_if_the_required_sandbox_is_unavailable() -> None:
    with pytest.raises(LaunchFailed, match="sandbox"):
        Browser.launch(config=BrowserConfig(sandbox=True))
    with Browser.launch(config=BrowserConfig(sandbox=False)) as browser:
        assert browser.evaluate("6 * 7").value == 42
