"""One browser for many tests."""

from __future__ import annotations

from pathlib import Path

from tabwarden.config import BrowserConfig, load_config
from tabwarden.errors import TabwardenError
from tabwarden.sync import Browser


class Shared:
    """A worker's browser; another one when it can't be cleared of what a test left behind.

    What pages download goes to ``downloads``, and not to the user's own folder.
    """

    def __init__(self, downloads: Path) -> None:
        self._browser: Browser | None = None
        self._downloads = downloads

    def fresh(self) -> Browser:
        """The browser with one fresh tab."""
        if self._browser is not None:
            try:
                return self._cleared(self._browser)
            except TabwardenError:  # the previous test has failed, and reports why
                self.close()
        self._browser = Browser.launch(config=self._config())
        return self._browser

    def close(self) -> None:
        """Close the browser, if there is one."""
        browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()

    def _config(self) -> BrowserConfig:
        return load_config().browser.model_copy(update={"download_dir": self._downloads})

    def _cleared(self, browser: Browser) -> Browser:
        browser.configure(self._config())
        browser.control.close()
        before = browser.state
        browser.tabs("open")
        for tab in before.tabs:
            if browser.tabs("close", tab_id=tab.tab_id).interrupted:
                browser.dialog("accept")
        return browser
