"""The tool for saved states. ``Browser`` has a separate method for each mode of the tool."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import (
    StateFile,
)

__all__: list[str] = []


@action("browser_storage_state", "state", permission="files", group="storage", gives=StateFile)
async def storage_state(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["save", "load"], Field(description="save: write the file. load: read the file.")
    ],
    filename: Annotated[str, Field(description="File name in the state folder.")],
    **common: Any,
) -> Any:
    """Keep logins: save all cookies and the visited sites' storage to a file, which contains
    secrets, or load such a file before opening the site. Also loads Playwright's files, .txt cookie
    files and curl commands."""
    if mode == "save":
        return await browser.save_storage_state(filename, **common)
    return await browser.load_storage_state(filename, **common)
