"""The HTTP control API (``tabwarden serve``). Many agents already know the form of its requests.
Most requests run one registry action. Each task has its own browser.

``routes`` has the tables of all routes, including ``/act``. ``pipeline`` serves a request under its
budget. ``schema`` derives a request's fields from an action's parameters. ``streams`` implements
``GET /events``. ``errors`` turns errors into responses. ``service`` has the objects that requests
share.
"""

from tabwarden.surfaces.http.app import serve

__all__ = ["serve"]
