"""Emulate a device, a location, a language and other settings in a task's tabs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import between
from tabwarden.page.environment.devices import device_named
from tabwarden.page.environment.headers import HEADER_VALUE, checked_headers
from tabwarden.page.environment.throttling import cpu_rate, describe_network, network_speed
from tabwarden.page.task import Call, Done, card
from tabwarden.page.walker import call_walker
from tabwarden.protocol import Command, emulation, runtime
from tabwarden.results import Emulated, Size
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core.handlers import metrics_of, permission_command
from tabwarden.supervisor.core.state.emulation import Emulation, Geolocation
from tabwarden.supervisor.core.state.inputs import Emulate, PermissionSet
from tabwarden.supervisor.core.state.prompts import PermissionRule, PermissionSetting

SMALLEST = 1
LARGEST = 8192
"""The maximum length of a side, in CSS pixels. An image of 8,192 x 8,192 pixels takes a quarter of
a gigabyte."""


@card(
    "resize",
    about="Set the tab's viewport size for this page and later pages.",
    permission="act",
    group="emulation",
    destructive=False,
    idempotent=True,
    gives=Size,
    shows=False,
)
async def resize(
    call: Call,
    width: Annotated[int, Field(description="In CSS pixels.", ge=SMALLEST, le=LARGEST)],
    height: Annotated[int, Field(description="In CSS pixels.", ge=SMALLEST, le=LARGEST)],
) -> Done:
    """Set a tab's viewport size for this page and later pages. ``value`` is the ``{"width",
    "height"}`` that the page sees.

    Args:
        width, height: the size in CSS pixels, from 1 to 8,192 per side.

    Raises:
        InvalidArgument: the size is out of range, or the tab does not exist.
        DialogPending: a dialog blocks the page.
    """
    size: Command[Any] = emulation.SetDeviceMetricsOverride(
        width=width, height=height, device_scale_factor=0, mobile=False
    )
    settings = call.state.emulation
    if settings.device is not None and settings.is_scaled:  # the metrics are sent repeatedly
        device = msgspec.structs.replace(settings.device, page=(width, height))
        call.task.supervisor.feed(Emulate(msgspec.structs.replace(settings, device=device)))
        size = metrics_of(device)
    await call.race.call(size, call.tab.session_id)
    world = await call.task.worlds.of(
        call.race, call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    )
    return Done(await call_walker(call.race, world, "viewport"))


_CHOICES = {
    "color_scheme": ("light", "dark", "no-preference"),
    "reduced_motion": ("reduce", "no-preference"),
    "media": ("screen", "print"),
}
_TEXT_MAX = 1_000
_LOCALE = re.compile(r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*\Z")


class Settings(NamedTuple):
    """The arguments of a call. None keeps a setting; "" or an empty mapping resets it."""

    device: str | None = None
    user_agent: str | None = None
    locale: str | None = None
    timezone: str | None = None
    geolocation: Mapping[str, float] | None = None
    offline: bool | None = None
    network: str | Mapping[str, float] | None = None
    cpu: float | None = None
    headers: Mapping[str, str] | None = None
    color_scheme: str | None = None
    reduced_motion: str | None = None
    media: str | None = None


def _apply(before: Emulation, settings: Settings) -> Emulation:
    """Return the emulation with a call's settings. Raise ``InvalidArgument``, with the field and
    the closest valid value, if a value is invalid."""
    for field, allowed in _CHOICES.items():
        value = getattr(settings, field)
        if value not in (None, "", *allowed):
            near = get_close_matches(str(value), allowed, n=1, cutoff=0.0)
            raise InvalidArgument(
                f"{field} must be one of {', '.join(allowed)}, not {str(value)[:100]!r}.",
                field=field,
                nearest=near[0] if near else allowed[0],
            )
    changed: dict[str, Any] = {
        field: value
        for field, value in settings._asdict().items()
        if value is not None and field in ("offline", "timezone", *_CHOICES)
    }
    if settings.device is not None:
        changed["device"] = device_named(settings.device) if settings.device else None
    if settings.user_agent is not None:
        changed["user_agent"] = _user_agent(settings.user_agent)
    if settings.locale is not None:
        changed["locale"] = _locale(settings.locale) if settings.locale else ""
    if settings.geolocation is not None:
        changed["geolocation"] = _location(settings.geolocation)
    if settings.network is not None:
        changed["network"] = network_speed(settings.network)
    if settings.cpu is not None:
        changed["cpu"] = cpu_rate(settings.cpu)
    if settings.headers is not None:
        changed["headers"] = checked_headers(settings.headers)
    return msgspec.structs.replace(before, **changed)


@card(
    "emulate",
    about="""Emulate a device, language, location or network in all tabs.

    Omitted settings stay; "" resets a setting. Most settings take effect at the next page load,
    so reload.""",
    permission="act",
    group="emulation",
    opens_browser=True,
    destructive=False,
    idempotent=True,
    open_world=False,
    gives=Emulated,
    shows=False,
    refreshes=False,
)
async def emulate(
    call: Call,
    *,
    device: Annotated[
        str | None,
        Field(description="A device name, such as iPhone 15, Pixel 9 landscape or Desktop."),
    ] = None,
    user_agent: Annotated[
        str | None, Field(description="The user agent. Overrides the device's.")
    ] = None,
    locale: Annotated[str | None, Field(description="A locale, such as de-DE.")] = None,
    timezone: Annotated[
        str | None, Field(description="A time zone, such as Europe/Berlin.")
    ] = None,
    geolocation: Annotated[
        Mapping[str, float] | None,
        Field(description="{latitude, longitude, accuracy}. Pages also get permission to read it."),
    ] = None,
    offline: Annotated[bool | None, Field(description="Disconnect the network.")] = None,
    network: Annotated[
        str | Mapping[str, float] | None,
        Field(description="Slow 3G, Fast 4G, ... or {download_kbps, upload_kbps, latency_ms}."),
    ] = None,
    cpu: Annotated[
        float | None,
        Field(
            description="CPU throttling factor: 4 makes the CPU four times slower.", ge=1, le=100
        ),
    ] = None,
    headers: Annotated[
        Mapping[str, str] | None, Field(description="Extra headers for all requests.")
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
) -> Done:
    """Emulate a device, location or network in all current and future tabs of the task.

    ``value`` lists all emulated settings; for headers, only the names. Settings last until they
    are changed, even after navigations, crashes and lost connections. Omitted settings stay as
    they are; "" or an empty mapping resets a setting. A page sees most changes when it next
    loads.

    Args:
        device: a device name (docs/session.md). It sets the viewport, scale, touch and user
            agent.
        user_agent: replaces the device's user agent.
        locale: for example ``de-DE``. It affects languages, dates and numbers.
        timezone: for example ``Europe/Berlin``.
        geolocation: ``{"latitude", "longitude", "accuracy"}``, in degrees and meters. Also
            grants pages the permission to read the location.
        offline: disconnect the network.
        network: a slower network for pages: ``Slow 3G``, ``Fast 3G``, ``Slow 4G``, ``Fast 4G``,
            or ``{"download_kbps", "upload_kbps", "latency_ms"}``.
        cpu: how many times slower the CPU is for pages; 1 resets it. Time limits still use real
            time.
        headers: extra headers for every request, to every site that a page contacts.
        color_scheme, reduced_motion, media: the values of the CSS media features.
        reset: undo all emulation before applying the other parameters.

    Raises:
        InvalidArgument: a device, time zone, ... is unknown. ``data["nearest"]`` has a similar
            name.
    """
    settings = Settings(
        device,
        user_agent,
        locale,
        timezone,
        geolocation,
        offline,
        network,
        cpu,
        headers,
        color_scheme,
        reduced_motion,
        media,
    )
    before = call.state.emulation
    product = call.task.supervisor.opened.product if call.task.supervisor.opened is not None else ""
    requested = _apply(call.state.policy.emulation if reset else before, settings).on(product)
    requested = await _normalize(call, before, requested)
    requested = await _grant_location(call, before, requested)
    call.task.supervisor.feed(Emulate(requested))
    # This reply arrives after all settings have taken effect in this tab.
    await call.race.call(runtime.Evaluate(expression="0", silent=True), call.tab.session_id)
    return Done(_describe(requested))


async def _normalize(call: Call, before: Emulation, requested: Emulation) -> Emulation:
    """Let the browser check and normalize the time zone and the locale. This is needed because the
    commands that set them accept any text and ignore unknown names."""
    asks_zone = bool(requested.timezone) and requested.timezone != before.timezone
    asks_locale = bool(requested.locale) and requested.locale != before.locale
    if not asks_zone and not asks_locale:
        return requested
    world = await call.task.worlds.of(
        call.race, call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    )
    normalized = await call_walker(call.race, world, "judged", requested.timezone, requested.locale)
    if asks_zone and not normalized["zone"]:
        nearest = _nearest_zone(requested.timezone, await call_walker(call.race, world, "zones"))
        raise InvalidArgument(
            f"The browser does not know the time zone {requested.timezone[:100]!r}. The closest "
            f"match is {nearest!r}.",
            "Use a name from the IANA database, such as Europe/Berlin.",
            field="timezone",
            nearest=nearest,
        )
    if asks_locale and not normalized["locale"]:
        raise InvalidArgument(
            f"The browser does not know the locale {requested.locale[:100]!r}.",
            "A locale looks like de-DE.",
            field="locale",
            nearest="en-US",
        )
    return msgspec.structs.replace(
        requested, timezone=normalized["zone"] or "", locale=normalized["locale"] or ""
    )


def _nearest_zone(zone: str, zones: list[str]) -> str | None:
    """Return the time zone whose full name or city best matches ``zone``."""
    by_word = {one.lower(): one for one in zones}
    by_word |= {one.lower().rpartition("/")[2]: one for one in zones}
    text = zone.strip().lower().replace(" ", "_")
    near = get_close_matches(text, by_word, n=1, cutoff=0.5)
    if not near:
        near = get_close_matches(text.rpartition("/")[2], by_word, n=1, cutoff=0.0)
    return by_word[near[0]] if near else None


async def _grant_location(call: Call, before: Emulation, requested: Emulation) -> Emulation:
    """Grant pages the geolocation permission only while a location is emulated."""
    if before.geolocation == requested.geolocation:
        return requested
    if requested.geolocation is None:
        if before.geolocation is not None and before.geolocation.granted:
            await _permit(call, "prompt")
        return requested
    allowed = any(
        rule.name == "geolocation" and rule.setting == "granted" and rule.origin is None
        for rule in call.state.permissions
    )
    ours = not allowed or (before.geolocation is not None and before.geolocation.granted)
    if not allowed:
        await _permit(call, "granted")
    place = msgspec.structs.replace(requested.geolocation, granted=ours)
    return msgspec.structs.replace(requested, geolocation=place)


async def _permit(call: Call, setting: PermissionSetting) -> None:
    rule = PermissionRule(name="geolocation", setting=setting)
    await call.race.call(permission_command(rule, call.state), None)
    call.task.supervisor.feed(PermissionSet(rule))


def _user_agent(value: str) -> str:
    if not isinstance(value, str) or not HEADER_VALUE.match(value) or len(value) > _TEXT_MAX:
        raise InvalidArgument(
            f"user_agent must be one line of at most {_TEXT_MAX} characters.", field="user_agent"
        )
    return value.strip()


def _locale(value: str) -> str:
    text = str(value).strip()
    if not _LOCALE.match(text):
        plain = re.sub(r"[^A-Za-z]+", "-", text).strip("-")
        nearest = plain if _LOCALE.match(plain) else "en-US"
        raise InvalidArgument(
            f"{text[:100]!r} is not a valid locale.",
            f"A locale looks like de-DE. Try {nearest!r}.",
            field="locale",
            nearest=nearest,
        )
    language, *others = re.split("[-_]", text)
    return "-".join(
        [
            language.lower(),
            *(o.upper() if len(o) == 2 else o.title() if len(o) == 4 else o for o in others),
        ]
    )


def _location(value: Mapping[str, float]) -> Geolocation | None:
    if not value:
        return None
    keys = ("latitude", "longitude", "accuracy")
    if not isinstance(value, Mapping) or {"latitude", "longitude"} - value.keys():
        raise InvalidArgument(
            "geolocation needs latitude and longitude.",
            "For example: {'latitude': 52.52, 'longitude': 13.4, 'accuracy': 10}.",
            field="geolocation",
        )
    for key in value:
        if key not in keys:
            near = get_close_matches(str(key), keys, n=1, cutoff=0.0)[0]
            raise InvalidArgument(
                f"Unknown field {str(key)[:100]!r} in geolocation. The closest match is {near!r}.",
                field="geolocation",
                nearest=near,
            )
    between("latitude", value["latitude"], -90, 90)
    between("longitude", value["longitude"], -180, 180)
    accuracy = value.get("accuracy", 1.0)
    between("accuracy", accuracy, 0, 1_000_000)
    return Geolocation(
        latitude=value["latitude"], longitude=value["longitude"], accuracy=float(accuracy)
    )


def _describe(emulation: Emulation) -> dict[str, Any]:
    """Return all active settings. List headers by name only."""
    active: dict[str, Any] = {}
    device = emulation.device
    if device is not None and not device.name:
        active["viewport"] = {"width": device.page[0], "height": device.page[1]}
    elif device is not None:
        active["device"] = {
            "name": device.name,
            "width": device.page[0],
            "height": device.page[1],
            "scale": device.scale,
            "mobile": device.mobile,
        }
    for field in ("user_agent", "locale", "timezone", "color_scheme", "reduced_motion", "media"):
        if value := getattr(emulation, field):
            active[field] = value
    if emulation.geolocation is not None:
        place = emulation.geolocation
        active["geolocation"] = {
            "latitude": place.latitude,
            "longitude": place.longitude,
            "accuracy": place.accuracy,
        }
    if emulation.offline:
        active["offline"] = True
    if emulation.network is not None:
        active["network"] = describe_network(emulation.network)
    if emulation.cpu != 1:
        active["cpu"] = emulation.cpu
    if emulation.headers:
        active["headers"] = sorted(emulation.headers)
    return active
