"""Environment: set the device, size, location, time zone and media that a page sees."""

from tabwarden.page.environment.headers import checked_headers

__all__ = ["checked_headers", "emulate", "resize"]
