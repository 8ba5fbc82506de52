"""Environment: set the device, size, location, time zone and media that a page sees."""

__all__ = ["emulate", "resize"]
