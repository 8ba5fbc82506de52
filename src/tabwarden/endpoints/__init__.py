"""Endpoints: ways to open a wire to a browser.

``find_browsers`` and ``choose`` find browsers on this system. ``launch`` starts a browser, which
exits when this process ends. ``open_endpoint`` attaches to a running browser, and ``remote/`` to a
hosted browser. ``install`` and ``find_or_install`` download a browser. ``endpoint_of`` maps an
address to its endpoint. This package sends CDP commands only to check that the browser answers, and
to read the cookies of a person's own browser.

To change:

- what a kind of browser can do: its ``Capabilities`` (``capabilities.py`` has the fields). Surfaces
  hide the other actions and omit the snapshot's unknown fields; no action checks the kind of its
  browser
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
