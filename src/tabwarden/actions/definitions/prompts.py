"""Actions that answer prompts, and actions that manage tabs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import Shows, action
from tabwarden.browser import Browser
from tabwarden.results import Chosen, Dialog, Handoff, Permission, Prompt, Tab

__all__: list[str] = []


@action("browser_dialog", "dialog", permission="act", group="core", needs="dialogs", gives=Dialog)
async def dialog(
    browser: Browser,
    *,
    action: Annotated[Literal["accept", "dismiss"], Field(description="OK or Cancel.")],
    prompt_text: Annotated[
        str | None, Field(description="Text for a prompt. Default: the prompt's text.")
    ] = None,
    dialog_id: Annotated[
        str | None, Field(description="Which dialog (d-1), if several wait.")
    ] = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Answer a waiting JavaScript dialog (alert, confirm, prompt).

    For beforeunload, accept leaves the page and loses unsaved changes; dismiss stays.
    """
    return await browser.dialog(
        action, prompt_text, dialog_id=dialog_id, snapshot=snapshot, **common
    )


@action(
    "browser_auth",
    "auth",
    permission="act",
    group="prompts",
    of="browser",
    destructive=False,
    gives=Prompt,
)
async def auth(
    browser: Browser,
    *,
    username: Annotated[str | None, Field(description="The user name.")] = None,
    password: Annotated[str, Field(description="The password.")] = "",
    cancel: Annotated[bool, Field(description="Send no credentials.")] = False,
    auth_id: Annotated[
        str | None, Field(description="Which request (a-1), if several wait.")
    ] = None,
    origin: Annotated[
        str | None,
        Field(description="Only save them, for this origin (https://host)."),
    ] = None,
    **common: Any,
) -> Any:
    """Answer a server that asks for a user name and a password (HTTP authentication)."""
    return await browser.auth(
        username, password, cancel=cancel, auth_id=auth_id, origin=origin, **common
    )


@action("browser_choose", "choose", permission="act", group="prompts", of="browser", gives=Chosen)
async def choose(
    browser: Browser,
    *,
    choice: Annotated[
        str | None, Field(description="The option's id or name from the snapshot.")
    ] = None,
    cancel: Annotated[bool, Field(description="Choose nothing.")] = False,
    prompt_id: Annotated[
        str | None, Field(description="Which prompt (dc-1), if several are open.")
    ] = None,
    **common: Any,
) -> Any:
    """Choose an option, such as a device, in a browser prompt."""
    return await browser.choose(choice, cancel=cancel, prompt_id=prompt_id, **common)


@action(
    "browser_permission",
    "permission",
    permission="act",
    group="prompts",
    of="browser",
    destructive=False,
    idempotent=True,
    open_world=False,
    gives=list[Permission],
)
async def permission(
    browser: Browser,
    *,
    name: Annotated[
        str, Field(description="geolocation, notifications, camera, clipboard-read...")
    ],
    setting: Annotated[
        Literal["granted", "denied", "prompt"], Field(description="The new setting.")
    ] = "granted",
    origin: Annotated[str | None, Field(description="Limit to this origin (https://host).")] = None,
    **common: Any,
) -> Any:
    """Grant or deny a permission to pages."""
    return await browser.permission(name, setting, origin=origin, **common)


@action(
    "browser_handoff",
    "handoff",
    permission="act",
    group="prompts",
    of="browser",
    destructive=False,
    gives=Handoff,
)
async def handoff(
    browser: Browser,
    *,
    reason: Annotated[str, Field(description="What to do, in words for the person.")],
    **common: Any,
) -> Any:
    """Ask a person for help (a login, a code, a captcha), and wait until they are done."""
    return await browser.handoff(reason, **common)


@action("browser_tabs", "tab", permission="act", group="pages", opens=True, gives=list[Tab])
async def tabs(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["list", "open", "close", "switch"], Field(description="What to do.")
    ] = "list",
    tab_index: Annotated[
        int | None, Field(description="The tab's position in the list, from 0.", ge=0)
    ] = None,
    url: Annotated[str | None, Field(description="URL for mode=open.")] = None,
    **common: Any,
) -> Any:
    """List tabs, open one, close one, or switch to one."""
    return await browser.tabs(mode, tab_index=tab_index, url=url, **common)
