"""Sync twin of ``tabwarden.browser.files``: the same names, for code without an event loop.

Generated from browser/files.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.config import download_folder
from tabwarden.errors import Disabled, InvalidArgument
from tabwarden.files.download_folder import checked_filename
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.downloads import perform_download
from tabwarden.page.navigation import navigate
from tabwarden.recording import RECORDER, save_trace, trace_folder
from tabwarden.sync.base import BrowserBase


class FileMethods(BrowserBase):
    """Methods that exchange files with pages, or save what Tabwarden knows."""

    @journaled
    def download(
        self,
        url: str,
        filename: str | None = None,
        *,
        overwrite: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Download]:
        """Download a URL into the download folder (``download_dir`` of the configuration). The
        request uses the browser's own network and cookies, but no tab shows the file. ``value`` is
        the download, in the form that ``state`` uses: ``path``, ``filename``, ``size``, ``sha256``
        etc.

        The file gets its name only when it is complete. A broken connection is resumed. The folder
        is on this computer, even if the browser runs on another.

        Args:
            url: http(s), data, or a blob of the tab's page; a bare host gets https.
            filename: a plain name; by default the server's suggestion, made safe.
            overwrite: replace an existing file; by default add a number (``report (1).pdf``).
            tab_id: the tab that owns the blob; the active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: ``url`` or ``filename`` is not valid, or the server answered with an
                error such as 404.
            Denied: a policy forbids the scheme, or the name leads outside the folder.
            PageUnreachable: no server answers, or the connection keeps breaking.
            BadCertificate: the browser does not trust the server.
            BudgetExceeded: the download did not finish; ``data`` says how much arrived. No file is
                kept.
        """
        allowed = navigate.checked_url(url)
        if allowed[:6].lower() == "about:":
            raise InvalidArgument("An about: URL is not a file.", field="url")
        name = None if filename is None else checked_filename(filename)
        return self._engine.run_sync(
            perform_download(
                self._task,
                self._budget("download", timeout_ms),
                allowed,
                download_folder(self._config),
                filename=name,
                overwrite=overwrite,
                tab_id=tab_id,
            )
        )

    @journaled
    def trace(
        self, filename: str | None = None, *, timeout_ms: Timeout = None
    ) -> ActionResult[results.TraceFile]:
        """Save what Tabwarden has recorded of this task as a trace, even if the page hangs or the
        browser is gone: the last minutes, or everything if ``record`` is set. ``value`` is
        ``{"path", "calls", "seconds"}``. Playwright's trace viewer opens the file. It contains no
        typed passwords, cookies or configured secrets, but it has pictures of the pages.

        Args:
            filename: a name in the folder of traces (``trace_dir`` of the configuration); generated
                by default.
            timeout_ms: limit for the whole call.

        Raises:
            Denied: the name leads outside the folder. InvalidArgument: the file can't be written.
            Disabled: the configuration switches the recorder off.
        """
        budget = self._budget("trace", timeout_ms)
        recorder = RECORDER.of(self._task)
        if recorder is None:
            raise Disabled(
                "Nothing is recorded: the configuration switches the recorder off.",
                "Set browser.recorder.enabled: true, and open another browser.",
            )
        path = None
        if filename is not None:
            name = checked_filename(filename, "trace")
            path = trace_folder(self._config) / (name if name.endswith(".zip") else f"{name}.zip")
        value = self._engine.run_sync(save_trace(recorder, budget, path))
        return ActionResult(action="trace", value=value)
