"""The HTTP control API (``tabwarden serve``). Its requests have a form that many agents know. Most
requests run one registry action. Each task has its own browser.

``routes`` has the tables of all routes, including ``/act`` with its kinds. ``pipeline`` serves a
request under its budget. ``schema`` derives a request's fields from an action's parameters.
``streams`` is ``GET /events``. ``errors`` turns errors into responses. ``service`` has everything
that requests share.
"""

from tabwarden.surfaces.http.server import serve

__all__ = ["serve"]
