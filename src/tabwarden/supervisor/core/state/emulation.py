"""The emulation settings of a task's tabs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

_COMMON = "153"
"""The version that a device tells if the browser's own is unknown."""
_HINTS = ("sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform")


class Device(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """Empty for just a page of another size."""
    page: tuple[int, int] = (1280, 720)
    """The page's width and height in CSS pixels."""
    screen: tuple[int, int] = (1280, 720)
    """The screen's width and height in CSS pixels."""
    scale: float = 0.0
    """In pixels per CSS pixel; 0 for the browser's own."""
    mobile: bool = False
    user_agent: str = ""
    """Empty for the browser's own user agent. ``{major}`` means the browser's version."""
    platform: str = ""
    """``navigator.platform``."""
    model: str = ""
    """Sent in client hints, only for Android devices; "" sends none."""


class Geolocation(msgspec.Struct, frozen=True, kw_only=True):
    """A position in degrees, and its accuracy in meters."""

    latitude: float
    longitude: float
    accuracy: float = 1.0
    granted: bool = False
    """Whether the permission was granted for this emulation and must be removed with it."""


class NetworkSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """How fast the network seems to be."""

    name: str = ""
    """Empty for the caller's own numbers."""
    latency_ms: float = 0.0
    """From a request to the first byte of its answer."""
    download: float = -1.0
    """In bytes per second; -1 for no limit."""
    upload: float = -1.0
    """In bytes per second; -1 for no limit."""


class Emulation(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. An empty setting means the browser's own value."""

    device: Device | None = None
    user_agent: str = ""
    """Replaces the device's user agent."""
    locale: str = ""
    timezone: str = ""
    geolocation: Geolocation | None = None
    offline: bool = False
    network: NetworkSpeed | None = None
    cpu: float = 1.0
    """How many times slower the processor seems to be."""
    headers: Mapping[str, str] = MappingProxyType({})
    """Sent with every request."""
    color_scheme: str = ""
    reduced_motion: str = ""
    media: str = ""

    def on(self, product: str) -> Emulation:
        """Return these settings for a browser: some devices tell its version.

        Args:
            product: the browser's name and version, such as ``Chrome/156.0.8078.79``.
        """
        device = self.device
        if device is None or "{major}" not in device.user_agent:
            return self
        version = re.search(r"/(\d+)", product)
        agent = device.user_agent.replace("{major}", version[1] if version else _COMMON)
        device = msgspec.structs.replace(device, user_agent=agent)
        return msgspec.structs.replace(self, device=device)

    @property
    def is_scaled(self) -> bool:
        """Whether a pixel of the page is not a pixel of the screen."""
        return self.device is not None and self.device.scale not in (0, 1)

    @property
    def client_hints(self) -> Mapping[str, str | None]:
        """The headers by which an Android device tells what it is. None means that requests with
        this user agent do not have the header."""
        device = self.device
        if self.user_agent or device is None or not device.model:
            is_ours = self.user_agent or (device is not None and device.user_agent)
            return dict.fromkeys(_HINTS) if is_ours else {}
        mobile = "?1" if "Mobile" in device.user_agent else "?0"
        return {"sec-ch-ua-mobile": mobile, "sec-ch-ua-platform": '"Android"'}

    @property
    def needs_network(self) -> bool:
        """Whether any setting needs the Network domain."""
        return self.offline or self.network is not None or bool(self.headers)
