"""The HTTP control API (``tabwarden serve``). Many agents already know the format of its requests.
Most requests run one registry action. Each task has its own browser.

``routes`` has the tables of all routes, including ``/act``. ``pipeline`` serves a request under its
budget. ``schema`` derives a request's fields from an action's parameters. ``streams`` implements
``GET /events``. ``errors`` converts errors to responses. ``service`` has the objects that requests
share.

To change:

- which files the HTTP API serves, and how: ``files.py``: ``FOLDERS``, ``open_file`` (never leaves a
  folder), ``receive_file``, ``OpenedFile``
"""

from tabwarden.surfaces.http.app import serve

__all__ = ["serve"]
