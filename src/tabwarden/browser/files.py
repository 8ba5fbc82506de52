"""Files: what pages get, and what they give."""

from __future__ import annotations

from collections.abc import Sequence

from tabwarden import results
from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.download_folder import checked_filename
from tabwarden.errors import Disabled, InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import target_of
from tabwarden.page.capture import pdf
from tabwarden.page.downloads import perform_download
from tabwarden.page.input import files_in, upload
from tabwarden.page.navigation import navigate
from tabwarden.page.snapshot import Show
from tabwarden.policy import download_folder, output_folder
from tabwarden.recording import save_trace, trace_folder


class FileMethods(BrowserBase):
    """Methods that exchange files with pages, or save what Tabwarden knows."""

    @journaled
    async def upload(
        self,
        filenames: Sequence[str],
        ref: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Uploaded]:
        """Give files to a page. They go to the file input ``ref``, or to the file chooser that a
        click on ``ref`` or on a point opens. Without ``ref`` or a point, they go to the file
        chooser that is already open.

        Args:
            filenames: names in the upload folder (``upload_dir`` of the configuration), or paths of
                files in the folders that ``upload_roots`` allows; for an input of folders, the name
                of a folder. An empty list cancels the open chooser, or clears the file input
                ``ref``.
            ref: a file input, or an element that opens a file chooser.
            x, y: a point of the viewport, in CSS pixels.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            Denied: a name leads outside the folder.
            InvalidArgument: a file does not exist, there are too many, or no chooser is open.
            NotInteractable: the element opens no file chooser.
        """
        files = files_in(self.upload_folders, filenames, takes_folders=True)
        at = None if ref is None and x is None and y is None else target_of(ref, x, y)
        task = self._task
        return await self._perform(
            upload.UPLOAD,
            lambda call: upload.upload(call, files, ref=ref, at=at),
            task.tab_of(ref, tab_id),
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    async def download(
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
        return await self._engine.run_async(
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
    async def pdf(
        self,
        filename: str | None = None,
        *,
        paper: pdf.Paper = "a4",
        size_mm: Sequence[float] | None = None,
        landscape: bool = False,
        scale: float = 1.0,
        margin_mm: float | Sequence[float] = 10.0,
        page_ranges: str = "",
        background: bool = True,
        header: str | None = None,
        footer: str | None = None,
        css_page_size: bool = False,
        overwrite: bool = False,
        as_bytes: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        """Print the page as a PDF file in the output folder; ``value`` is ``{"path", "filename",
        "size", "mime_type", "sha256"}``.

        Args:
            filename: a plain name; by default the page's title.
            paper: letter, legal, tabloid, ledger, or a0 to a6.
            size_mm: (width, height) of the paper in millimeters, instead of ``paper``.
            landscape: print in landscape.
            scale: 0.1 to 2.
            margin_mm: one margin for all sides, or (top, right, bottom, left), in millimeters.
            page_ranges: which pages, such as ``"1-3, 5"``; all pages if empty.
            background: print backgrounds.
            header, footer: HTML with inline styles. The browser fills in elements with the classes
                ``date``, ``title``, ``url``, ``pageNumber`` and ``totalPages``.
            css_page_size: use the paper size from the page's ``@page`` rule.
            overwrite: replace an existing file; by default add a number.
            as_bytes: don't write a file; ``value`` is the document as bytes.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: a parameter is wrong, or the document does not have these pages.
            Denied: the name leads outside the folder.
            NotSupported: this browser can't print this page.
            DialogPending: a dialog blocks the page.
        """
        name = None if filename is None else checked_filename(filename, "output")
        command = pdf.print_command(
            paper=paper,
            size_mm=size_mm,
            landscape=landscape,
            scale=scale,
            margin_mm=margin_mm,
            page_ranges=page_ranges,
            background=background,
            header=header,
            footer=footer,
            css_page_size=css_page_size,
        )
        return await self._perform(
            pdf.PDF,
            lambda call: pdf.print_page(
                call,
                command,
                None if as_bytes else output_folder(self._config),
                filename=name,
                overwrite=overwrite,
            ),
            tab_id,
            timeout_ms,
        )

    @journaled
    async def trace(
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
        recorder = self._task.recorder
        if recorder is None:
            raise Disabled(
                "Nothing is recorded: the configuration switches the recorder off.",
                "Set browser.recorder.enabled: true, and open another browser.",
            )
        path = None
        if filename is not None:
            name = checked_filename(filename, "trace")
            path = trace_folder(self._config) / (name if name.endswith(".zip") else f"{name}.zip")
        value = await self._engine.run_async(save_trace(recorder, budget, path))
        return ActionResult(action="trace", value=value)
