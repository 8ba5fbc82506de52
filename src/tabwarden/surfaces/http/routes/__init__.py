"""The routes that registry actions serve, one file a concern."""

from __future__ import annotations

from tabwarden.surfaces.http.routes.files import FILES
from tabwarden.surfaces.http.routes.hooks import HOOKS
from tabwarden.surfaces.http.routes.keeping import KEEPING
from tabwarden.surfaces.http.routes.lifecycle import LIFECYCLE
from tabwarden.surfaces.http.routes.pages import PAGES
from tabwarden.surfaces.http.routes.settings import SETTINGS
from tabwarden.surfaces.http.routes.tabs import TABS
from tabwarden.surfaces.http.routes.traffic import TRAFFIC
from tabwarden.surfaces.http.served import Served

__all__ = ["SERVED"]

SERVED: tuple[Served, ...] = (
    *LIFECYCLE,
    *TABS,
    *PAGES,
    *HOOKS,
    *FILES,
    *TRAFFIC,
    *KEEPING,
    *SETTINGS,
)
