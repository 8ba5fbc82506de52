"""What a task's tabs pretend to be: frozen values, as part of the state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

__all__ = ["Device", "Emulation", "Geolocation"]


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A device's screen, and how its browser calls itself."""

    name: str
    width: int
    height: int
    scale: float
    mobile: bool
    user_agent: str = ""
    """"": the browser's own."""
    platform: str = ""
    """``navigator.platform``."""
    model: str = ""
    """For client hints, of Android devices: "" sends none."""


class Geolocation(msgspec.Struct, frozen=True, kw_only=True):
    """Where it stands: degrees, and metres."""

    latitude: float
    longitude: float
    accuracy: float = 1.0
    granted: bool = False
    """The permission was given for this, so goes with it."""


class Emulation(msgspec.Struct, frozen=True, kw_only=True):
    """All of it; what is empty is the browser's own."""

    device: Device | None = None
    user_agent: str = ""
    """Instead of the device's."""
    locale: str = ""
    timezone: str = ""
    geolocation: Geolocation | None = None
    offline: bool = False
    headers: Mapping[str, str] = MappingProxyType({})
    """Sent with every request."""
    color_scheme: str = ""
    reduced_motion: str = ""
    media: str = ""

    @property
    def needs_network(self) -> bool:
        """Whether it takes the Network domain."""
        return self.offline or bool(self.headers)
