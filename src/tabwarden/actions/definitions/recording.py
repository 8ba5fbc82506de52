from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import TraceFile

__all__: list[str] = []


@action(
    "browser_trace",
    "trace",
    permission="files",
    group="recording",
    gives=TraceFile,
    of="browser",
    destructive=False,
    open_world=False,
)
async def trace(
    browser: Browser,
    *,
    filename: Annotated[str | None, Field(description="Default: generated.")] = None,
    **common: Any,
) -> Any:
    """Save a trace of the last minutes."""
    return await browser.trace(filename, **common)
