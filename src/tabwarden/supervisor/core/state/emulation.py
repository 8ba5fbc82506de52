"""The emulation settings of a task's tabs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec


class Device(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    width: int
    height: int
    scale: float
    mobile: bool
    user_agent: str = ""
    """Empty for the browser's own user agent."""
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

    @property
    def needs_network(self) -> bool:
        """Whether any setting needs the Network domain."""
        return self.offline or self.network is not None or bool(self.headers)
