"""One browser for many tests."""

from __future__ import annotations

from tabwarden.errors import TabwardenError
from tabwarden.sync import Browser


class Shared:
    """A worker's browser; another one when it can't be cleared of what a test left behind."""

    def __init__(self) -> None:
        self._browser: Browser | None = None

    def fresh(self) -> Browser:
        """The browser with one fresh tab."""
        if self._browser is not None:
            try:
                return self._cleared(self._browser)
            except TabwardenError:  # the test before it has failed, and says why
                self.close()
        self._browser = Browser.launch()
        return self._browser

    def close(self) -> None:
        """Close the browser, if there is one."""
        browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()

    @staticmethod
    def _cleared(browser: Browser) -> Browser:
        before = browser.state
        browser.tabs("open")
        for tab in before.tabs:
            if browser.tabs("close", tab_id=tab.tab_id).interrupted:
                browser.dialog("accept")
        return browser
