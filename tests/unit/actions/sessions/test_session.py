"""The next action applies a changed configuration, whichever component reads it first."""

from __future__ import annotations

from typing import Any, cast

from tabwarden import Browser, BrowserConfig
from tabwarden.actions import Session


class Open:
    """An open browser that records the configurations it gets."""

    is_open = True

    def __init__(self) -> None:
        self.obeys: list[BrowserConfig] = []

    def configure(self, config: BrowserConfig) -> None:
        self.obeys.append(config)


def test_session_passes_a_configuration_to_the_browser_only_when_it_changes() -> None:
    async def never(*_: Any, **__: Any) -> Browser:
        raise AssertionError

    session, browser = Session(never), Open()
    session._browser = cast(Any, browser)
    first = BrowserConfig()
    session.obey(first)
    session.obey(first)
    session.obey(BrowserConfig())  # read again, and unchanged
    assert browser.obeys == []
    second = BrowserConfig(evaluate_enabled=False)
    session.obey(second)
    session.obey(second)
    assert browser.obeys == [second]
    session.configure(first)  # by the component that watches the file
    session.obey(first)
    assert browser.obeys == [second, first]
