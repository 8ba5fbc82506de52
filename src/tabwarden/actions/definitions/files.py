"""Actions that save a file in the download folder."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.page.task import Overwrite
from tabwarden.results import Download

__all__: list[str] = []


@action("browser_download", "download", permission="files", group="files", gives=Download)
async def download(
    browser: Browser,
    *,
    url: Annotated[str, Field(description="http(s), data, or a blob of this page.")],
    filename: Annotated[str | None, Field(description="Default: the server's name.")] = None,
    overwrite: Overwrite = False,
    **common: Any,
) -> Any:
    """Download a URL to the download folder, with the browser's cookies.

    Resumes a broken connection.
    """
    return await browser.download(url, filename, overwrite=overwrite, **common)
