"""Relaying: the messages between a client and a host that are not CDP.

A client opens one WebSocket for each CDP connection (``handshake``). Text frames are CDP messages,
in both directions. Binary frames (``frames``) contain the client's network policy, and the
connections that it refused. A second kind of WebSocket transfers one file (``transfers``). Tickets
(in ``handshake``) prove that the coordinator gave the client this task.
"""

PUBLIC = ("frames", "handshake", "transfers")
"""The modules that others import from."""
