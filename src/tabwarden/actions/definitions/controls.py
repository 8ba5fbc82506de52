"""Actions on one element: check and uncheck it, focus it, tell its facts."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwarden.actions.definitions.parameters import Shows
from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import CheckedState, Inspected

__all__: list[str] = []

_Ref = Annotated[
    str, Field(description="The element's ref from the last snapshot, or css=... or xpath=...")
]


@action(
    "browser_check", "check", permission="act", group="pages", idempotent=True, gives=CheckedState
)
async def check(browser: Browser, *, ref: _Ref, snapshot: Shows = "none", **common: Any) -> Any:
    """Check a checkbox, switch or radio button, unless it is checked."""
    return await browser.check(ref, snapshot=snapshot, **common)


@action(
    "browser_uncheck",
    "uncheck",
    permission="act",
    group="pages",
    idempotent=True,
    gives=CheckedState,
)
async def uncheck(browser: Browser, *, ref: _Ref, snapshot: Shows = "none", **common: Any) -> Any:
    """Uncheck a checkbox or switch, unless it is unchecked."""
    return await browser.uncheck(ref, snapshot=snapshot, **common)


@action(
    "browser_focus", "focus", permission="act", group="pages", destructive=False, idempotent=True
)
async def focus(browser: Browser, *, ref: _Ref, snapshot: Shows = "none", **common: Any) -> Any:
    """Give an element the focus, without a click."""
    return await browser.focus(ref, snapshot=snapshot, **common)


@action(
    "browser_inspect", "inspect", permission="read", group="pages", read_only=True, gives=Inspected
)
async def inspect(
    browser: Browser,
    *,
    ref: _Ref,
    styles: Annotated[
        list[str], Field(description="Names of CSS properties. Default: the most telling ones.")
    ] = [],  # noqa: B006 - pydantic copies it, and the schema shows it
    **common: Any,
) -> Any:
    """Tell an element's attributes, states, computed styles, box, listeners and visibility."""
    return await browser.inspect(ref, styles=styles, **common)
