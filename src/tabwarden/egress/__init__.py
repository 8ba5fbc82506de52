"""Egress: the proxy for all requests from a browser, and the network policy that the proxy applies.

Each task has its own SOCKS proxy on loopback, which does not use CDP (docs/decisions/0016 explains
the reasons). This module imports nothing, because the configuration needs only ``egress.origins``.

To change:

- where requests may be sent: ``gate.py`` (pure); ``addresses.py`` classifies addresses
- which rule refused a request, and its error message: ``gate.py`` decides;
  ``page/call/named_place.py`` reports it for a URL in a call, and
  ``supervisor/core/handlers/network/outgoing.py`` for a connection
"""
