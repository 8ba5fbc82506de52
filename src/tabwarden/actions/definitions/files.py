"""Actions that save a file in the download folder."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.actions.saving import OVERWRITE
from tabwarden.browser import Browser
from tabwarden.page.capture import Paper
from tabwarden.results import Download, KeptFile

__all__: list[str] = []


@action("browser_download", "download", permission="files", group="files", gives=Download)
async def download(
    browser: Browser,
    *,
    url: Annotated[str, Field(description="http(s), data, or a blob of this page.")],
    filename: Annotated[str | None, Field(description="Default: the server's name.")] = None,
    overwrite: OVERWRITE = False,
    **common: Any,
) -> Any:
    """Download a URL to the download folder, with the browser's cookies.

    Resumes a broken connection.
    """
    return await browser.download(url, filename, overwrite=overwrite, **common)


@action("browser_pdf", "pdf", permission="files", group="files", gives=KeptFile)
async def pdf(
    browser: Browser,
    *,
    filename: Annotated[str | None, Field(description="Default: the page's title.")] = None,
    paper: Annotated[Paper, Field(description="Paper size.")] = "a4",
    size_mm: Annotated[
        list[float] | None,
        Field(description="Instead of paper: [width, height] in mm."),
    ] = None,
    landscape: Annotated[bool, Field(description="Landscape orientation.")] = False,
    scale: Annotated[float, Field(description="Scale of the page.", ge=0.1, le=2)] = 1.0,
    margin_mm: Annotated[
        float | list[float],
        Field(description="One number, or [top, right, bottom, left]."),
    ] = 10.0,
    page_ranges: Annotated[str, Field(description="Such as '1-3, 5'. Default: all.")] = "",
    background: Annotated[bool, Field(description="Print backgrounds.")] = True,
    header: Annotated[
        str | None,
        Field(
            description="HTML for the top of each page. The browser fills classes date, title, "
            "url, pageNumber, totalPages."
        ),
    ] = None,
    footer: Annotated[str | None, Field(description="HTML for the bottom of each page.")] = None,
    css_page_size: Annotated[bool, Field(description="Use the page's CSS @page size.")] = False,
    overwrite: OVERWRITE = False,
    **common: Any,
) -> Any:
    """Print the page to a PDF file. Returns its path."""
    return await browser.pdf(
        filename,
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
        overwrite=overwrite,
        **common,
    )
