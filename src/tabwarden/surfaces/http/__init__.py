"""The HTTP control API (``tabwarden serve``): requests in the shape that agents know, each served
by one action of the registry, each task with a browser of its own.

``access`` and ``crowding`` say who comes in; ``shapes`` makes a request's fields from an action's
parameters; ``kinds`` (of ``POST /act``) and ``routes`` are the tables of what there is; ``served``
and ``calls`` run one under its budget; ``answers`` and ``refusals`` are the bodies that go back.
``feed``, ``telling`` and ``stream`` are ``GET /events``; ``status`` has what no action serves.
"""

from tabwarden.surfaces.http.server import serve

__all__ = ["serve"]
