"""Environment: set the device, size, location, time zone and media that a page sees."""

from tabwarden.page.environment.devices import device_of
from tabwarden.page.environment.headers import checked_headers

__all__ = ["checked_headers", "device_of", "emulate", "resize"]
