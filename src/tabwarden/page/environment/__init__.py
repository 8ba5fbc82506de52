"""Set the device, size, location, time zone and media that a page sees.

To change:

- the device sizes: ``device_sizes.py``, which ``tools/generate_devices.py`` writes from
  Playwright's package
"""

from tabwarden.page.environment.devices import device_named, device_of
from tabwarden.page.environment.headers import checked_headers
from tabwarden.page.environment.throttling import network_speed

__all__ = [
    "checked_headers",
    "device_named",
    "device_of",
    "network_speed",
]
