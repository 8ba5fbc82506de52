"""The action on what the browser pretends to be."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.actions.values import Emulated
from tabwarden.browser import Browser

__all__: list[str] = []


@action(
    "browser_emulate",
    "emulate",
    opens=True,
    destructive=False,
    idempotent=True,
    open_world=False,
    gives=Emulated,
)
async def emulate(
    browser: Browser,
    *,
    device: Annotated[
        str | None,
        Field(
            description="iPhone 15, Pixel 9, iPad Air, Galaxy S24, Desktop, ...; '... landscape'."
        ),
    ] = None,
    user_agent: Annotated[str | None, Field(description="Instead of the device's.")] = None,
    locale: Annotated[str | None, Field(description="Such as de-DE.")] = None,
    timezone: Annotated[str | None, Field(description="Such as Europe/Berlin.")] = None,
    geolocation: Annotated[
        dict[str, float] | None,
        Field(description="{latitude, longitude, accuracy}; pages are permitted to ask for it."),
    ] = None,
    offline: Annotated[bool | None, Field(description="No network.")] = None,
    headers: Annotated[
        dict[str, str] | None, Field(description="Sent with every request, to every site.")
    ] = None,
    color_scheme: Annotated[
        Literal["light", "dark", "no-preference", ""] | None, Field(description="As CSS sees it.")
    ] = None,
    reduced_motion: Annotated[
        Literal["reduce", "no-preference", ""] | None, Field(description="As CSS sees it.")
    ] = None,
    media: Annotated[
        Literal["screen", "print", ""] | None, Field(description="As CSS sees it.")
    ] = None,
    reset: Annotated[
        bool, Field(description="Undo all that was emulated before the rest is set.")
    ] = False,
    **common: Any,
) -> Any:
    """Pretend a device, a language, a place or a network: in all tabs, now and later.

    What is left out stays as it is; an empty text undoes a thing. Pages learn of most of it when
    they load: reload to see it. The result lists all that is emulated.
    """
    return await browser.emulate(
        device=device,
        user_agent=user_agent,
        locale=locale,
        timezone=timezone,
        geolocation=geolocation,
        offline=offline,
        headers=headers,
        color_scheme=color_scheme,
        reduced_motion=reduced_motion,
        media=media,
        reset=reset,
        **common,
    )
