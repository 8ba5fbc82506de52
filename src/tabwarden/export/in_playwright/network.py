"""Network in Playwright: routes, init scripts, and what a page is told of its device and place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.export.in_playwright.locators import unknown
from tabwarden.export.steps import Step
from tabwarden.export.writing import call, literal, made_variable
from tabwarden.page.environment import device_named, device_of, network_speed
from tabwarden.supervisor.core.state.emulation import Device, Emulation

_REGEX = re.compile(r"/(.+)/(i?)", re.DOTALL)
_SAME = ("xhr", "fetch", "eventsource")
"""Types that a route doesn't tell apart, as the browser doesn't."""
_GIVEN = ("method", "abort", "status", "body", "path", "content_type", "headers", "delay_ms",
          "times")  # fmt: skip
_MEDIA = ("color_scheme", "reduced_motion", "media")


def route(step: Step) -> list[str]:
    given, context = step.arguments, f"{step.tab}.context"
    url = _pattern(given.get("url"))
    if given.get("mode") == "remove":
        if given.get("route_id"):
            return [f"{made_variable(given['route_id'])}()"]
        return [f"{context}.unroute_all()" if given.get("url") is None
                else call(f"{context}.unroute", url)]  # fmt: skip
    named = {name: literal(given[name]) for name in _GIVEN if given.get(name) is not None}
    if types := given.get("resource_type"):
        wanted = [types] if isinstance(types, str) else types
        every = [one for kind in wanted for one in (_SAME if kind in _SAME else (kind,))]
        named["types"] = literal(list(dict.fromkeys(every)))
    added = call("add_route", step.tab, url, **named)
    return [f"{made_variable(step.made)} = {added}" if step.is_removed else added]


def _pattern(url: str | None) -> str:
    """Return the pattern of a route: Playwright's globs are ours."""
    if url is None:
        return literal("**")
    if (regex := _REGEX.fullmatch(url)) is None:
        return literal(url)
    return call("re.compile", literal(regex[1]), *(["re.IGNORECASE"] if regex[2] else []))


def init_script(step: Step) -> list[str]:
    given = step.arguments
    if given.get("mode") == "remove":
        return [f"{made_variable(str(given.get('script_id')))}.close()"]
    named = {name: literal(given[name]) for name in ("script", "path") if given.get(name)}
    added = call(f"{step.tab}.context.add_init_script", **named)
    return [f"{made_variable(step.made)} = {added}" if step.is_removed else added]


def emulate(step: Step) -> list[str]:
    """Settings that Playwright has only for a new context are set in this page alone."""
    given, context = dict(step.arguments), f"{step.tab}.context"
    lines = []
    if given.pop("reset", False):
        return unknown(step, "resets what was emulated, which has no counterpart in Playwright")
    media = {name: literal(given.pop(name) or None) for name in _MEDIA if name in given}
    if media:
        lines.append(call(f"{step.tab}.emulate_media", **media))
    if (place := given.pop("geolocation", None)) is not None:
        lines.append(f'{context}.grant_permissions(["geolocation"])' if place
                     else f"{context}.clear_permissions()")  # fmt: skip
        lines.append(call(f"{context}.set_geolocation", literal(place or None)))
    if (offline := given.pop("offline", None)) is not None:
        lines.append(call(f"{context}.set_offline", literal(offline)))
    if (headers := given.pop("headers", None)) is not None:
        lines.append(call(f"{context}.set_extra_http_headers", literal(headers)))
    try:
        commands = _commands(given)
    except InvalidArgument:  # another version's device
        return unknown(step)
    if commands:
        lines.append(call("emulate", step.tab, literal(commands)))
    return lines


def context_of(launch: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``new_context`` for the device or viewport of a launch."""
    size = launch.get("viewport")
    asked = device_of(launch.get("device"), (int(size[0]), int(size[1])) if size else None)
    if asked is None:
        return {}
    device = _device(asked)
    told: dict[str, Any] = {"viewport": _sides(device.page), "screen": _sides(device.screen)}
    if device.scale:
        told["device_scale_factor"] = device.scale
    if device.mobile:
        told |= {"is_mobile": True, "has_touch": True}
    return told | ({"user_agent": device.user_agent} if device.user_agent else {})


def _sides(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def _device(device: Device) -> Device:
    """Return a device that tells a version: the one of the script's browser is unknown."""
    return Emulation(device=device).on("").device or device


def _commands(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return CDP commands for settings, by method. An empty value resets."""
    told: dict[str, dict[str, Any]] = {}
    agent = given.get("user_agent")
    if (name := given.get("device")) is not None:
        if not name:
            told["Emulation.clearDeviceMetricsOverride"] = {}
            told["Emulation.setTouchEmulationEnabled"] = {"enabled": False}
        else:
            device = _device(device_named(name))
            (width, height), (screen_width, screen_height) = device.page, device.screen
            told["Emulation.setDeviceMetricsOverride"] = {
                "width": width, "height": height, "screenWidth": screen_width,
                "screenHeight": screen_height, "mobile": device.mobile,
                "deviceScaleFactor": device.scale,
            }  # fmt: skip
            told["Emulation.setTouchEmulationEnabled"] = {"enabled": device.mobile}
            agent = agent or device.user_agent
    if agent is not None or given.get("locale"):
        told["Emulation.setUserAgentOverride"] = {"userAgent": agent or ""} | (
            {"acceptLanguage": given["locale"]} if given.get("locale") else {}
        )
    if (locale := given.get("locale")) is not None:
        told["Emulation.setLocaleOverride"] = {"locale": locale}
    if (zone := given.get("timezone")) is not None:
        told["Emulation.setTimezoneOverride"] = {"timezoneId": zone}
    if (cpu := given.get("cpu")) is not None:
        told["Emulation.setCPUThrottlingRate"] = {"rate": cpu}
    if (wanted := given.get("network")) is not None:
        speed = network_speed(wanted)
        told["Network.emulateNetworkConditions"] = {
            "offline": False,
            "latency": speed.latency_ms if speed else 0,
            "downloadThroughput": speed.download if speed else -1,
            "uploadThroughput": speed.upload if speed else -1,
        }
    return told
