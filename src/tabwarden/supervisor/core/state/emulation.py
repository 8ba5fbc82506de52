"""The emulation settings for a task's tabs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

_COMMON = "153"
"""The version in a device's user agent if the browser's own version is unknown."""
_HINTS = ("sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform")


class Device(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """The device's name; empty if only the page size is emulated."""
    page: tuple[int, int] = (1280, 720)
    """The page's width and height in CSS pixels."""
    screen: tuple[int, int] = (1280, 720)
    """The screen's width and height in CSS pixels."""
    scale: float = 0.0
    """The scale in pixels per CSS pixel; 0 for the browser's own scale."""
    mobile: bool = False
    user_agent: str = ""
    """Empty for the browser's own user agent. ``{major}`` means the browser's version."""
    platform: str = ""
    """``navigator.platform``."""
    model: str = ""
    """The model in client hints, only for Android devices; "" for no client hints."""


class Geolocation(msgspec.Struct, frozen=True, kw_only=True):
    """A position in degrees, and its accuracy in meters."""

    latitude: float
    longitude: float
    accuracy: float = 1.0
    granted: bool = False
    """Whether the permission was granted only for this emulation, and must be removed with it."""


class NetworkSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """The emulated network conditions."""

    name: str = ""
    """The preset's name; empty for custom values."""
    latency_ms: float = 0.0
    """The time from a request to the first byte of its response."""
    download: float = -1.0
    """The download rate in bytes per second; -1 for no limit."""
    upload: float = -1.0
    """The upload rate in bytes per second; -1 for no limit."""


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
    """The factor by which the processor is slowed down."""
    headers: Mapping[str, str] = MappingProxyType({})
    """The headers that are sent with every request."""
    color_scheme: str = ""
    reduced_motion: str = ""
    media: str = ""

    def on(self, product: str) -> Emulation:
        """Return these settings, adapted to a browser, because some user agents contain its
        version.

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
        """Whether a CSS pixel of the page differs from a pixel of the screen."""
        return self.device is not None and self.device.scale not in (0, 1)

    @property
    def client_hints(self) -> Mapping[str, str | None]:
        """The headers with which an Android device identifies itself. None means that requests with
        this user agent do not have the header.
        """
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
