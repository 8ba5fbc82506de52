"""The action for scripts that run before a page's own."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.page.input import file_in
from tabwarden.results import InitScripts

__all__: list[str] = []


@action(
    "browser_init_script",
    "init-script",
    permission="scripts",
    group="network",
    switch="evaluate_enabled",
    opens=True,
    gives=InitScripts,
)
async def init_script(
    browser: Browser,
    *,
    mode: Annotated[Literal["add", "list", "remove"], Field(description="What to do.")] = "add",
    script: Annotated[str | None, Field(description="For add: its text.")] = None,
    path: Annotated[
        str | None, Field(description="For add: a file in the upload folder instead.")
    ] = None,
    script_id: Annotated[str | None, Field(description="For remove: such as i-1.")] = None,
    **common: Any,
) -> Any:
    """Run a script in every later page and frame of all tabs before the page's own scripts, or
    list or remove such scripts."""
    if path is not None:
        path = file_in(browser.upload_folders, path, "path")
    return await browser.init_script(mode, script=script, path=path, script_id=script_id, **common)
