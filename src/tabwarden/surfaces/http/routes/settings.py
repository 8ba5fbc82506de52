"""Routes for emulation. A setting applies to all tabs, including tabs that open later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api import Fields, tab_named
from tabwarden.egress.origins import origin_of
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.pipeline import ActionRoute, TaskCall, action_route, optional

_AUTH = ACTIONS["browser_auth"]
_ALL = tuple(name for name in ACTIONS["browser_emulate"].parameters.model_fields)
_CLEAR = {"clear": optional(bool, "Undo the setting.", default=False)}


def _set(
    path: str,
    words: str,
    *taken: str,
    needs: tuple[str, ...] = (),
    more: Fields | None = None,
    aliases: Mapping[str, str] | None = None,
    ignores: Mapping[str, str] | None = None,
    translate: Any = dict,
) -> ActionRoute:
    kept = {*taken, *needs, "tab_id", "timeout_ms"}
    return action_route(
        f"POST /set/{path}",
        "browser_emulate",
        without=[name for name in _ALL if name not in kept],
        needs=needs,
        more=more,
        aliases=aliases,
        ignores=ignores,
        translate=translate,
        words=f"{words} The setting applies to all open and future tabs. `value` contains all "
        f"emulated settings. If no browser is open, one is opened first.",
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
            raise InvalidArgument(
                "`clear` and coordinates can't be combined.", "Omit one of them.", field="clear"
            )
        return {**arguments, "geolocation": {}}
    for name in ("latitude", "longitude"):
        if name not in place:
            raise InvalidArgument(
                f"{name} is missing.", "Send `latitude` and `longitude`, or `clear`.", field=name
            )
    return {**arguments, "geolocation": place}


def _media(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("color_scheme") == "none":
        arguments["color_scheme"] = ""
    if not any(arguments.get(n) is not None for n in ("color_scheme", "reduced_motion", "media")):
        raise InvalidArgument(
            "colorScheme is missing.",
            "Send `colorScheme`, `reducedMotion` or `media`.",
            field="colorScheme",
        )
    return arguments


def _needing(parameter: str, field: str) -> Any:
    """Return a translation that requires a parameter that clients may pass under either of two
    names.
    """

    def translate(arguments: dict[str, Any]) -> dict[str, Any]:
        if arguments.get(parameter) is None:
            raise InvalidArgument(
                f"{field} is missing.", 'Send a value, or "" to reset the setting.', field=field
            )
        return arguments

    return translate


async def _credentials(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Set the HTTP credentials for one origin. The default is the origin of the tab's page."""
    if arguments.pop("clear", False):
        arguments["cancel"] = True
    tab_id = arguments.pop("targetId", None)
    if arguments.get("origin") is None:
        arguments["origin"] = await _origin_of(call, tab_id)
    return await call.run(_AUTH, arguments)


async def _origin_of(call: TaskCall, named: str | None) -> str:
    browser, _ = await call.session.browser(may_open=call.opens, budget=call.budget)
    state = browser.state
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    origin = next((origin_of(tab.url) for tab in state.tabs if tab.tab_id == tab_id), None)
    if origin is None:
        raise InvalidArgument(
            "Credentials need a site, and the tab's page has none.",
            "Send the site's origin: https://host.",
            field="origin",
        )
    return origin


SETTINGS = (
    _set("offline", "Disconnect the network, or reconnect it.", needs=("offline",)),
    _set(
        "headers",
        "Send extra headers with every request to every site. {} removes them.",
        needs=("headers",),
    ),
    action_route(
        "POST /set/credentials",
        "browser_auth",
        without=("cancel", "auth_id"),
        more={
            **_CLEAR,
            "targetId": optional(str, "The tab whose page sets the default for `origin`."),
        },
        work=_credentials,
        opens=True,
        words="Save a user name and password for future authentication challenges from one "
        "origin. Default: the "
        "origin of the tab's page. Other origins never get the password.",
    ),
    _set(
        "geolocation",
        "Set the browser's location and let pages read it.",
        more={
            "latitude": optional(float, "Degrees.", ge=-90, le=90),
            "longitude": optional(float, "Degrees.", ge=-180, le=180),
            "accuracy": optional(float, "Metres.", ge=0),
            **_CLEAR,
        },
        ignores={"origin": "`origin` has no effect, because all pages may read the location."},
        translate=_place,
    ),
    _set(
        "media",
        "Set the CSS media values that pages see.",
        "color_scheme",
        "reduced_motion",
        "media",
        more={
            "colorScheme": optional(
                Literal["light", "dark", "no-preference", "none", ""],
                "The color scheme. none resets the setting.",
            )
        },
        translate=_media,
    ),
    _set(
        "timezone",
        "Set a time zone, such as Europe/Berlin.",
        "timezone",
        aliases={"timezoneId": "timezone"},
        translate=_needing("timezone", "timezoneId"),
    ),
    _set("locale", "Set a language, such as de-DE.", needs=("locale",)),
    _set(
        "device",
        "Emulate a device: its viewport, scale, touch and user agent.",
        "device",
        aliases={"name": "device"},
        translate=_needing("device", "name"),
    ),
)
