"""Actions that answer what blocks a page, and that manage tabs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.parameters import OptionalRef, Shows, X, Y
from tabwarden.actions.registry import action
from tabwarden.actions.values import Dialog, Permission, Prompt, Tab, Uploaded
from tabwarden.browser import Browser

__all__: list[str] = []


@action("browser_dialog", "dialog", of="browser", needs="dialogs", gives=Dialog)
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
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Answer a JavaScript dialog (alert, confirm, prompt, beforeunload) that waits."""
    return await browser.dialog(
        action, prompt_text, dialog_id=dialog_id, snapshot=snapshot, **common
    )


@action("browser_upload", "upload", gives=Uploaded)
async def upload(
    browser: Browser,
    *,
    filenames: Annotated[
        list[str],
        Field(
            description="Names in the upload folder; none ([]) declines the chooser that waits, "
            "or empties the file input ref."
        ),
    ],
    ref: OptionalRef = None,
    x: X = None,
    y: Y = None,
    snapshot: Shows = "none",
    **common: Any,
) -> Any:
    """Give files to a file input, to the chooser that a click on ref or (x, y) opens, or, without
    these, to the file chooser that waits."""
    return await browser.upload(filenames, ref, x=x, y=y, snapshot=snapshot, **common)


@action("browser_auth", "auth", of="browser", destructive=False, gives=Prompt)
async def auth(
    browser: Browser,
    *,
    username: Annotated[str | None, Field(description="The user name.")] = None,
    password: Annotated[str, Field(description="The password.")] = "",
    cancel: Annotated[bool, Field(description="Give nothing; the server refuses.")] = False,
    auth_id: Annotated[
        str | None, Field(description="Which one (a-1, ...), when several ask.")
    ] = None,
    origin: Annotated[
        str | None,
        Field(description="https://host: answer whatever asks there so, from now on; not now."),
    ] = None,
    **common: Any,
) -> Any:
    """Answer a server that asks for a user name and a password (HTTP authentication)."""
    return await browser.auth(
        username, password, cancel=cancel, auth_id=auth_id, origin=origin, **common
    )


@action(
    "browser_permission",
    "permission",
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
        str, Field(description="geolocation, notifications, camera, microphone, clipboard-read...")
    ],
    setting: Annotated[
        Literal["granted", "denied", "prompt"], Field(description="What pages get.")
    ] = "granted",
    origin: Annotated[str | None, Field(description="Only for this origin (https://host).")] = None,
    **common: Any,
) -> Any:
    """Grant or deny what pages may ask for."""
    return await browser.permission(name, setting, origin=origin, **common)


@action("browser_tabs", "tab", opens=True, gives=list[Tab])
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
