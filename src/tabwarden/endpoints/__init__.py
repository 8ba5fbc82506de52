"""Endpoints: ways to open a wire to a browser.

``find_browsers`` and ``choose`` find browsers on this system. ``launch`` starts a browser, which
exits when this process exits. ``open_endpoint`` attaches to a running browser, and ``remote/`` to a
hosted browser. ``install`` and ``find_or_install`` download a browser. ``endpoint_of`` returns the
endpoint for an address. This package sends CDP commands only to check that the browser responds,
and to read the cookies of the user's own browser.

To change:

- what a kind of browser can do: its ``Capabilities`` (``capabilities.py`` has the fields). The
  interfaces hide unsupported actions and omit snapshot fields that the browser can't fill; no
  action checks the kind of its browser
"""

from tabwarden.endpoints.address import Address
from tabwarden.endpoints.attaching import open_endpoint
from tabwarden.endpoints.endpoint import Endpoint, OpenedEndpoint
from tabwarden.endpoints.remote import RemoteEndpoint
from tabwarden.endpoints.schemes import endpoint_of

__all__ = [
    "Address",
    "Endpoint",
    "OpenedEndpoint",
    "RemoteEndpoint",
    "endpoint_of",
    "open_endpoint",
]
