"""The routes, one file per concern."""

from __future__ import annotations

from tabwarden.surfaces.http.pipeline import ActionRoute
from tabwarden.surfaces.http.routes.control import CONTROL
from tabwarden.surfaces.http.routes.doctor import CHECKUP
from tabwarden.surfaces.http.routes.files import FILES
from tabwarden.surfaces.http.routes.hooks import HOOKS
from tabwarden.surfaces.http.routes.keeping import KEEPING
from tabwarden.surfaces.http.routes.lifecycle import LIFECYCLE
from tabwarden.surfaces.http.routes.pages import PAGES
from tabwarden.surfaces.http.routes.profiles import PROFILES
from tabwarden.surfaces.http.routes.settings import SETTINGS
from tabwarden.surfaces.http.routes.status import STATUS, StatusRoute
from tabwarden.surfaces.http.routes.stored_files import STORED_FILES
from tabwarden.surfaces.http.routes.tabs import TABS
from tabwarden.surfaces.http.routes.traffic import TRAFFIC
from tabwarden.surfaces.http.routes.watching import STOP_TRACE, WATCHING

__all__ = ["SERVED", "STATUS_ROUTES"]

STATUS_ROUTES: tuple[StatusRoute, ...] = (
    *STATUS,
    *CONTROL,
    *PROFILES,
    *STORED_FILES,
    *WATCHING,
    CHECKUP,
)
"""The routes that run no action, except ``GET /openapi.json``."""
SERVED: tuple[ActionRoute, ...] = (
    *LIFECYCLE,
    *TABS,
    *PAGES,
    *HOOKS,
    *FILES,
    *TRAFFIC,
    *KEEPING,
    *SETTINGS,
    STOP_TRACE,
)
