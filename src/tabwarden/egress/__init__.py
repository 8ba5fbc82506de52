"""Egress: the proxy that all of a browser's requests go through, and the network policy that it
applies.

It is a SOCKS proxy on loopback. Each task has its own, and it does not use CDP; docs/decisions/0016
gives the reasons. This module imports nothing, because the configuration uses ``egress.origins``
and needs nothing else.
"""
