"""Actions that answer what blocks a page, and that manage tabs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser

__all__: list[str] = []


@action("browser_dialog", "dialog", of_tab=False)
async def dialog(
    browser: Browser,
    *,
    action: Annotated[Literal["accept", "dismiss"], Field(description="OK or Cancel.")],
    prompt_text: Annotated[
        str | None, Field(description="What to enter in a prompt; its default when left out.")
    ] = None,
    dialog_id: Annotated[
        str | None, Field(description="Which one (d-1, ...), when several wait.")
    ] = None,
    **common: Any,
) -> Any:
    """Answer a JavaScript dialog (alert, confirm, prompt, beforeunload) that waits."""
    return await browser.dialog(action, prompt_text, dialog_id=dialog_id, **common)


@action("browser_tabs", "tab", opens=True)
async def tabs(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["list", "open", "close", "switch"], Field(description="What to do.")
    ] = "list",
    tab_index: Annotated[
        int | None, Field(description="A tab by its place in the list, from 0.", ge=0)
    ] = None,
    url: Annotated[str | None, Field(description="What to open, with mode=open.")] = None,
    **common: Any,
) -> Any:
    """List tabs, open one, close one, or switch to one."""
    return await browser.tabs(mode, tab_index=tab_index, url=url, **common)
