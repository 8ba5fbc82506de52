"""Routes on what the browser pretends to be: in all tabs, now and later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions import ACTIONS
from tabwarden.egress.origins import origin_of
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.calls import Call, Done, run
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import Fields, shape
from tabwarden.surfaces.http.targets import tab_named

__all__ = ["SETTINGS"]

_AUTH = ACTIONS["browser_auth"]
_ALL = tuple(name for name in ACTIONS["browser_emulate"].parameters.model_fields)
_CLEAR = {"clear": (Annotated[bool, Field(description="Undo it.")], False)}


def _set(
    path: str,
    words: str,
    *taken: str,
    needs: tuple[str, ...] = (),
    more: Fields | None = None,
    aliases: Mapping[str, str] | None = None,
    ignores: Mapping[str, str] | None = None,
    translate: Any = dict,
) -> Served:
    kept = {*taken, *needs, "tab_id", "timeout_ms"}
    return Served(
        shape=shape(
            f"POST /set/{path}",
            "browser_emulate",
            without=[name for name in _ALL if name not in kept],
            needs=needs,
            more=more,
            aliases=aliases,
            ignores=ignores,
            translate=translate,
        ),
        words=f"{words} In all tabs, now and later; the value lists all that is emulated. Opens a "
        "browser first if none is open.",
    )


def _place(arguments: dict[str, Any]) -> dict[str, Any]:
    place = {
        name: arguments.pop(name)
        for name in ("latitude", "longitude", "accuracy")
        if arguments.get(name) is not None
    }
    arguments = {
        k: v for k, v in arguments.items() if k not in ("latitude", "longitude", "accuracy")
    }
    if arguments.pop("clear", False):
        if place:
            raise InvalidArgument("clear takes no place.", "Leave one of them out.", field="clear")
        return {**arguments, "geolocation": {}}
    for name in ("latitude", "longitude"):
        if name not in place:
            raise InvalidArgument(
                f"{name} is missing.", "Give latitude and longitude, or clear.", field=name
            )
    return {**arguments, "geolocation": place}


def _media(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("color_scheme") == "none":
        arguments["color_scheme"] = ""
    if not any(arguments.get(n) is not None for n in ("color_scheme", "reduced_motion", "media")):
        raise InvalidArgument(
            "Which medium? colorScheme is missing.",
            "Give colorScheme, reducedMotion or media.",
            field="colorScheme",
        )
    return arguments


def _needing(parameter: str, field: str) -> Any:
    """A thing that has two names: by one of them it must be there."""

    def translate(arguments: dict[str, Any]) -> dict[str, Any]:
        if arguments.get(parameter) is None:
            raise InvalidArgument(
                f"{field} is missing.", 'Give it; "" undoes what was set.', field=field
            )
        return arguments

    return translate


async def _credentials(call: Call, arguments: dict[str, Any]) -> Done:
    """Answer HTTP authentication at one origin; without one, that of the tab's page."""
    if arguments.pop("clear", False):
        arguments["cancel"] = True
    tab_id = arguments.pop("targetId", None)
    if arguments.get("origin") is None:
        arguments["origin"] = await _origin_of(call, tab_id)
    return await run(call, _AUTH, arguments)


async def _origin_of(call: Call, named: str | None) -> str:
    browser, _ = await call.session.browser(may_open=call.opens, budget=call.budget)
    state = browser.state
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    origin = next((origin_of(tab.url) for tab in state.tabs if tab.tab_id == tab_id), None)
    if origin is None:
        raise InvalidArgument(
            "Credentials are for one site, and the tab shows none.",
            "Name its origin: https://host.",
            field="origin",
        )
    return origin


SETTINGS = (
    _set("offline", "Cut the network off, or give it back.", needs=("offline",)),
    _set("headers", "Send headers with every request, to every site; {} for none.",
         needs=("headers",)),
    Served(
        shape=shape(
            "POST /set/credentials",
            "browser_auth",
            without=("cancel", "auth_id"),
            more={
                **_CLEAR,
                "targetId": (
                    Annotated[
                        str | None,
                        Field(description="The tab whose site is meant when origin is left out."),
                    ],
                    None,
                ),
            },
        ),
        work=_credentials,
        opens=True,
        words="Answer whatever asks for a user name and a password at an origin, from now on; at "
        "that of the tab's page when none is named. No other site is ever given them.",
    ),
    _set(
        "geolocation", "Say where the browser is, and let pages ask for it.",
        more={
            "latitude": (Annotated[float | None, Field(description="Degrees.", ge=-90, le=90)],
                         None),
            "longitude": (Annotated[float | None, Field(description="Degrees.", ge=-180, le=180)],
                          None),
            "accuracy": (Annotated[float | None, Field(description="Metres.", ge=0)], None),
            **_CLEAR,
        },
        ignores={"origin": "origin has no effect: every page may ask where the browser is."},
        translate=_place,
    ),
    _set(
        "media", "Say how pages are shown, as their CSS sees it.",
        "color_scheme", "reduced_motion", "media",
        more={
            "colorScheme": (
                Annotated[
                    Literal["light", "dark", "no-preference", "none", ""] | None,
                    Field(description="none undoes it."),
                ],
                None,
            )
        },
        translate=_media,
    ),
    _set("timezone", "Be in a time zone, such as Europe/Berlin.", "timezone",
         aliases={"timezoneId": "timezone"}, translate=_needing("timezone", "timezoneId")),
    _set("locale", "Speak a language, such as de-DE.", needs=("locale",)),
    _set("device", "Be a device: its viewport, scale, touch and user agent.", "device",
         aliases={"name": "device"}, translate=_needing("device", "name")),
)  # fmt: skip
