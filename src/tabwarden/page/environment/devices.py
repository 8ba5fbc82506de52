"""Devices that a browser can emulate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.environment.device_sizes import ANDROIDS, APPLES, DESKTOPS, TABLETS
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core.state.emulation import Device

_IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
_IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
_ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{major}.0.0.0 {mobile}Safari/537.36"
)
"""The only details that Chrome on Android reports in its user agent."""
_LISTED = 10
"""How many similar names the error about an unknown device lists."""


def _apple(name: str) -> Device:
    tablet = name.startswith("iPad")
    return Device(
        name=name,
        mobile=True,
        user_agent=_IPAD if tablet else _IPHONE,
        platform="iPad" if tablet else "iPhone",
    )


def _android(name: str, *, tablet: bool = False) -> Device:
    return Device(
        name=name,
        mobile=True,
        user_agent=_ANDROID.replace("{mobile}", "" if tablet else "Mobile "),
        platform="Linux armv81",
        model=name.removeprefix("Galaxy Tab ").removeprefix("Galaxy "),
    )


def _desktop(name: str) -> Device:
    return Device(name=name)


class _Orientations(NamedTuple):
    """A device in portrait and landscape orientation."""

    upright: Device
    turned: Device


def _parse(table: str, make: Callable[[str], Device]) -> Iterator[_Orientations]:
    for line in table.strip().splitlines():
        name, _, details = line.partition(": ")
        sizes, _, scale = details.partition(" @ ")
        upright, turned = (
            msgspec.structs.replace(
                make(name), name=full_name, page=page, screen=screen, scale=float(scale)
            )
            for full_name, (page, screen) in zip(
                (name, f"{name} landscape"), map(_sizes, sizes.split(", ")), strict=True
            )
        )
        yield _Orientations(upright, turned)


def _sizes(words: str) -> list[tuple[int, int]]:
    sides = ([int(side) for side in size.split("x")] for size in words.split())
    return [(width, height) for width, height in sides]


_OURS = """
Laptop: 1366x768 1366x768, 768x1366 768x1366 @ 1
Desktop: 1920x1080 1920x1080, 1080x1920 1080x1920 @ 1
Desktop HiDPI: 1280x800 1280x800, 800x1280 800x1280 @ 2
"""
_DEVICES = {
    device.upright.name: device
    for device in (
        *_parse(APPLES, _apple),
        *_parse(ANDROIDS, _android),
        *_parse(TABLETS, partial(_android, tablet=True)),
        *_parse(_OURS, _desktop),
        *_parse(DESKTOPS, _desktop),
    )
}
DEVICES = tuple(_DEVICES)
"""The device names. ``"<name> landscape"`` selects a device in landscape orientation."""


def device_named(name: str) -> Device:
    """Return the device with a name. Case does not matter.

    Args:
        name: a name in ``DEVICES``, optionally followed by ``landscape``.

    Raises:
        InvalidArgument: the device is unknown. The error contains the closest match.
    """
    words = _fold(name)
    upright = words.removesuffix("landscape")
    by_folded_name = {_fold(one): device for one, device in _DEVICES.items()}
    device = by_folded_name.get(upright)
    if device is None:
        near = get_close_matches(upright, by_folded_name, n=_LISTED, cutoff=0.0)
        nearest, *others = [by_folded_name[one].upright.name for one in near] or ["Desktop"]
        raise InvalidArgument(
            f"Unknown device {name[:100]!r}. The closest match is {nearest!r}.",
            f"Other matches: {', '.join(others)}. Add 'landscape' to a name to rotate the device.",
            field="device",
            nearest=nearest,
            known=list(DEVICES),
        )
    return device.upright if upright == words else device.turned


def device_of(name: str | None, viewport: tuple[int, int] | None) -> Device | None:
    """Return the device for a launch: a known device, a custom viewport, or both.

    Raises:
        InvalidArgument: the device is unknown.
    """
    device = device_named(name) if name else None
    if viewport is None:
        return device
    if device is None:
        return Device(name="", page=viewport, screen=viewport)
    return msgspec.structs.replace(device, page=viewport)


def _fold(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).lower()
