"""Routes, init scripts, and the emulation of devices and locations, for Playwright."""

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
"""Resource types that a route does not distinguish, because the browser does not distinguish
them."""
_GIVEN = ("method", "abort", "status", "body", "path", "content_type", "headers", "delay_ms",
          "times")  # fmt: skip
_MEDIA = ("color_scheme", "reduced_motion", "media")


def route(step: Step) -> list[str]:
    arguments, context = step.arguments, f"{step.tab}.context"
    url = _pattern(arguments.get("url"))
    if arguments.get("mode") == "remove":
        if arguments.get("route_id"):
            return [f"{made_variable(arguments['route_id'])}()"]
        return [f"{context}.unroute_all()" if arguments.get("url") is None
                else call(f"{context}.unroute", url)]  # fmt: skip
    named = {name: literal(arguments[name]) for name in _GIVEN if arguments.get(name) is not None}
    if types := arguments.get("resource_type"):
        wanted = [types] if isinstance(types, str) else types
        every = [one for kind in wanted for one in (_SAME if kind in _SAME else (kind,))]
        named["types"] = literal(list(dict.fromkeys(every)))
    added = call("add_route", step.tab, url, **named)
    return [f"{made_variable(step.made)} = {added}" if step.is_removed else added]


def _pattern(url: str | None) -> str:
    """Return a route's pattern. Playwright's globs are the same as ours."""
    if url is None:
        return literal("**")
    if (regex := _REGEX.fullmatch(url)) is None:
        return literal(url)
    return call("re.compile", literal(regex[1]), *(["re.IGNORECASE"] if regex[2] else []))


def init_script(step: Step) -> list[str]:
    arguments = step.arguments
    if arguments.get("mode") == "remove":
        return [f"{made_variable(str(arguments.get('script_id')))}.close()"]
    named = {name: literal(arguments[name]) for name in ("script", "path") if arguments.get(name)}
    added = call(f"{step.tab}.context.add_init_script", **named)
    return [f"{made_variable(step.made)} = {added}" if step.is_removed else added]


def emulate(step: Step) -> list[str]:
    """Return the lines for ``emulate``. Settings that Playwright supports only for a new context
    are applied only to the current page."""
    arguments, context = dict(step.arguments), f"{step.tab}.context"
    lines = []
    if arguments.pop("reset", False):
        return unknown(step, "resets the emulation, which has no counterpart in Playwright")
    media = {name: literal(arguments.pop(name) or None) for name in _MEDIA if name in arguments}
    if media:
        lines.append(call(f"{step.tab}.emulate_media", **media))
    if (place := arguments.pop("geolocation", None)) is not None:
        lines.append(f'{context}.grant_permissions(["geolocation"])' if place
                     else f"{context}.clear_permissions()")  # fmt: skip
        lines.append(call(f"{context}.set_geolocation", literal(place or None)))
    if (offline := arguments.pop("offline", None)) is not None:
        lines.append(call(f"{context}.set_offline", literal(offline)))
    if (headers := arguments.pop("headers", None)) is not None:
        lines.append(call(f"{context}.set_extra_http_headers", literal(headers)))
    try:
        commands = _commands(arguments)
    except InvalidArgument:  # the device is from another version of Tabwarden
        return unknown(step)
    if commands:
        lines.append(call("emulate", step.tab, literal(commands)))
    return lines


def context_of(launch: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``new_context`` for a launch's device or viewport."""
    size = launch.get("viewport")
    emulated = device_of(launch.get("device"), (int(size[0]), int(size[1])) if size else None)
    if emulated is None:
        return {}
    device = _device(emulated)
    options: dict[str, Any] = {"viewport": _sides(device.page), "screen": _sides(device.screen)}
    if device.scale:
        options["device_scale_factor"] = device.scale
    if device.mobile:
        options |= {"is_mobile": True, "has_touch": True}
    return options | ({"user_agent": device.user_agent} if device.user_agent else {})


def _sides(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def _device(device: Device) -> Device:
    """Return a device with a fixed browser version, because the version of the script's browser is
    unknown."""
    return Emulation(device=device).on("").device or device


def _commands(arguments: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return CDP commands for settings, keyed by method. An empty value resets a setting."""
    commands: dict[str, dict[str, Any]] = {}
    agent = arguments.get("user_agent")
    if (name := arguments.get("device")) is not None:
        if not name:
            commands["Emulation.clearDeviceMetricsOverride"] = {}
            commands["Emulation.setTouchEmulationEnabled"] = {"enabled": False}
        else:
            device = _device(device_named(name))
            (width, height), (screen_width, screen_height) = device.page, device.screen
            commands["Emulation.setDeviceMetricsOverride"] = {
                "width": width, "height": height, "screenWidth": screen_width,
                "screenHeight": screen_height, "mobile": device.mobile,
                "deviceScaleFactor": device.scale,
            }  # fmt: skip
            commands["Emulation.setTouchEmulationEnabled"] = {"enabled": device.mobile}
            agent = agent or device.user_agent
    if agent is not None or arguments.get("locale"):
        commands["Emulation.setUserAgentOverride"] = {"userAgent": agent or ""} | (
            {"acceptLanguage": arguments["locale"]} if arguments.get("locale") else {}
        )
    if (locale := arguments.get("locale")) is not None:
        commands["Emulation.setLocaleOverride"] = {"locale": locale}
    if (zone := arguments.get("timezone")) is not None:
        commands["Emulation.setTimezoneOverride"] = {"timezoneId": zone}
    if (cpu := arguments.get("cpu")) is not None:
        commands["Emulation.setCPUThrottlingRate"] = {"rate": cpu}
    if (wanted := arguments.get("network")) is not None:
        speed = network_speed(wanted)
        commands["Network.emulateNetworkConditions"] = {
            "offline": False,
            "latency": speed.latency_ms if speed else 0,
            "downloadThroughput": speed.download if speed else -1,
            "uploadThroughput": speed.upload if speed else -1,
        }
    return commands
