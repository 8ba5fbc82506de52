from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Emulated

__all__: list[str] = []


@action(
    "browser_emulate",
    "emulate",
    permission="act",
    group="emulation",
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
        Field(description="iPhone 15, Pixel 9 landscape, Desktop..."),
    ] = None,
    user_agent: Annotated[str | None, Field(description="Overrides the device's value.")] = None,
    locale: Annotated[str | None, Field(description="Such as de-DE.")] = None,
    timezone: Annotated[str | None, Field(description="Such as Europe/Berlin.")] = None,
    geolocation: Annotated[
        dict[str, float] | None,
        Field(description="{latitude, longitude, accuracy}; lets pages read it."),
    ] = None,
    offline: Annotated[bool | None, Field(description="Disconnect the network.")] = None,
    network: Annotated[
        str | dict[str, float] | None,
        Field(description="Slow 3G, Fast 4G... or {download_kbps, upload_kbps, latency_ms}."),
    ] = None,
    cpu: Annotated[float | None, Field(description="How many times slower.", ge=1, le=100)] = None,
    headers: Annotated[
        dict[str, str] | None, Field(description="Extra headers for all requests.")
    ] = None,
    color_scheme: Annotated[
        Literal["light", "dark", "no-preference", ""] | None,
        Field(description="CSS prefers-color-scheme."),
    ] = None,
    reduced_motion: Annotated[
        Literal["reduce", "no-preference", ""] | None,
        Field(description="CSS prefers-reduced-motion."),
    ] = None,
    media: Annotated[
        Literal["screen", "print", ""] | None, Field(description="CSS media type.")
    ] = None,
    reset: Annotated[bool, Field(description="First undo all earlier emulation.")] = False,
    **common: Any,
) -> Any:
    """Emulate a device, language, location or network in all tabs.

    Omitted settings stay; "" resets one. Most take effect when a page loads, so reload.
    """
    return await browser.emulate(
        device=device,
        user_agent=user_agent,
        locale=locale,
        timezone=timezone,
        geolocation=geolocation,
        offline=offline,
        network=network,
        cpu=cpu,
        headers=headers,
        color_scheme=color_scheme,
        reduced_motion=reduced_motion,
        media=media,
        reset=reset,
        **common,
    )
