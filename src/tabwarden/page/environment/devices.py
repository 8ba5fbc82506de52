"""Devices that a browser can emulate, with sizes in CSS pixels in portrait orientation."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.environment.device_screens import ANDROIDS, APPLES, DESKTOPS, TABLETS
from tabwarden.supervisor import Device

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
"""Chrome on Android reports only these details."""
_LISTED = 10
"""How many devices the error about an unknown one lists."""


def _apple(name: str, width: int, height: int, scale: float) -> Device:
    tablet = name.startswith("iPad")
    return Device(
        name=name,
        width=width,
        height=height,
        scale=scale,
        mobile=True,
        user_agent=_IPAD if tablet else _IPHONE,
        platform="iPad" if tablet else "iPhone",
    )


def _android(name: str, width: int, height: int, scale: float, *, tablet: bool = False) -> Device:
    return Device(
        name=name,
        width=width,
        height=height,
        scale=scale,
        mobile=True,
        user_agent=_ANDROID.replace("{mobile}", "" if tablet else "Mobile "),
        platform="Linux armv81",
        model=name.removeprefix("Galaxy Tab ").removeprefix("Galaxy "),
    )


def _desktop(name: str, width: int, height: int, scale: float) -> Device:
    return Device(name=name, width=width, height=height, scale=scale, mobile=False)


def _made(table: str, make: Callable[[str, int, int, float], Device]) -> Iterator[Device]:
    for line in table.strip().splitlines():
        name, _, size = line.partition(": ")
        width, _, height, _, scale = size.split()
        yield make(name, int(width), int(height), float(scale))


DEVICES: dict[str, Device] = {
    device.name: device
    for device in (
        _apple("iPhone SE", 375, 667, 2),
        _apple("iPhone 12", 390, 844, 3),
        _apple("iPhone 13", 390, 844, 3),
        _apple("iPhone 14", 390, 844, 3),
        _apple("iPhone 14 Pro Max", 430, 932, 3),
        _apple("iPhone 15", 393, 852, 3),
        _apple("iPhone 15 Pro Max", 430, 932, 3),
        _apple("iPad Mini", 768, 1024, 2),
        _apple("iPad Air", 820, 1180, 2),
        _apple("iPad Pro", 1024, 1366, 2),
        _android("Pixel 5", 393, 851, 2.75),
        _android("Pixel 7", 412, 915, 2.625),
        _android("Pixel 9", 412, 924, 2.625),
        _android("Galaxy S9+", 320, 658, 4.5),
        _android("Galaxy S24", 360, 780, 3),
        _android("Galaxy Tab S9", 800, 1280, 2, tablet=True),
        _desktop("Laptop", 1366, 768, 1),
        _desktop("Desktop", 1920, 1080, 1),
        _desktop("Desktop HiDPI", 1280, 800, 2),
        *_made(APPLES, _apple),
        *_made(ANDROIDS, _android),
        *_made(TABLETS, partial(_android, tablet=True)),
        *_made(DESKTOPS, _desktop),
    )
}
"""Devices by name. ``"<name> landscape"`` rotates a device."""


def device_named(name: str, product: str) -> Device:
    """Return a device by its name, in any case. Android devices get the browser's own version.

    Args:
        name: a key of ``DEVICES``, optionally followed by ``landscape``.
        product: the browser's product name, such as ``Chrome/153.0.7000.0``.

    Raises:
        InvalidArgument: the device is unknown; the error gives the closest match.
    """
    words = _folded(name)
    upright = words.removesuffix("landscape")
    known = {_folded(one): device for one, device in DEVICES.items()}
    device = known.get(upright)
    if device is None:
        near = difflib.get_close_matches(upright, known, n=_LISTED, cutoff=0.0)
        nearest, *others = [known[one].name for one in near] or ["Desktop"]
        raise InvalidArgument(
            f"Unknown device {name[:100]!r}. The closest match is {nearest!r}.",
            f"Others: {', '.join(others)}. Add 'landscape' to a name to rotate the device.",
            field="device",
            nearest=nearest,
            known=list(DEVICES),
        )
    version = re.search(r"/(\d+)", product)
    agent = device.user_agent.replace("{major}", version[1] if version else "153")
    turned = upright != words
    return msgspec.structs.replace(
        device,
        name=f"{device.name} landscape" if turned else device.name,
        user_agent=agent,
        width=device.height if turned else device.width,
        height=device.width if turned else device.height,
    )


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).lower()
