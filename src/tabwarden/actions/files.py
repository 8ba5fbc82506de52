"""Actions that leave a file in the download folder."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.actions.values import Downloaded, KeptFile
from tabwarden.browser import Browser
from tabwarden.page.pdf import Paper

__all__: list[str] = []

Overwrite = Annotated[
    bool, Field(description="Replace a file of that name; else a number is added to the name.")
]


@action("browser_download", "download", gives=Downloaded)
async def download(
    browser: Browser,
    *,
    url: Annotated[str, Field(description="The file's URL: http(s), data, or a blob of the page.")],
    filename: Annotated[
        str | None, Field(description="A plain name; the server's when left out.")
    ] = None,
    overwrite: Overwrite = False,
    **common: Any,
) -> Any:
    """Download a URL into the download folder, with the browser's own cookies.

    The value says where it is (path), its size, MIME type and sha256. The file is there only when
    all of it has come; a connection that breaks is taken up again.
    """
    return await browser.download(url, filename, overwrite=overwrite, **common)


@action("browser_pdf", "pdf", gives=KeptFile)
async def pdf(
    browser: Browser,
    *,
    filename: Annotated[
        str | None, Field(description="A plain name; the page's title when left out.")
    ] = None,
    paper: Annotated[Paper, Field(description="The size of the paper.")] = "a4",
    size_mm: Annotated[
        list[float] | None,
        Field(description="Width and height of the paper instead, in millimetres."),
    ] = None,
    landscape: Annotated[bool, Field(description="Turned.")] = False,
    scale: Annotated[float, Field(description="How large the page is drawn.", ge=0.1, le=2)] = 1.0,
    margin_mm: Annotated[
        float | list[float],
        Field(description="All round, or top, right, bottom, left; millimetres."),
    ] = 10.0,
    page_ranges: Annotated[str, Field(description="Which pages: '1-3, 5'; all when empty.")] = "",
    background: Annotated[bool, Field(description="With the backgrounds.")] = True,
    header: Annotated[
        str | None,
        Field(
            description="HTML for the top of each page; classes date, title, url, pageNumber, "
            "totalPages are filled in."
        ),
    ] = None,
    footer: Annotated[str | None, Field(description="HTML for the bottom of each page.")] = None,
    css_page_size: Annotated[
        bool, Field(description="The paper that the page's own CSS (@page) wants.")
    ] = False,
    overwrite: Overwrite = False,
    **common: Any,
) -> Any:
    """Print the page into a PDF in the download folder; the value says where it is."""
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
