"""The tool for HTTP authentication. ``Browser.auth`` keeps saved credentials in the ``Browser``."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Prompt

__all__: list[str] = []


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
        str | None, Field(description="The request's id (a-1), if several requests are waiting.")
    ] = None,
    origin: Annotated[
        str | None,
        Field(
            description="Save the credentials for this origin (https://host), and answer no "
            "request now."
        ),
    ] = None,
    **common: Any,
) -> Any:
    """Answer a server's request for a user name and a password (HTTP authentication)."""
    return await browser.auth(
        username, password, cancel=cancel, auth_id=auth_id, origin=origin, **common
    )
