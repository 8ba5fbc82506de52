"""The routes, one module per subject.

To change:

- a route or a field of the HTTP API: ``surfaces/http/routes/``, ``control_api/kinds.py`` (for
  ``/act``), ``control_api/demands.py`` (the texts of refusals)
"""

from __future__ import annotations

from tabwarden.surfaces.http.pipeline import ActionRoute
from tabwarden.surfaces.http.plain_routes import StatusRoute
from tabwarden.surfaces.http.routes.control import CHECKUP, CONTROL
from tabwarden.surfaces.http.routes.files import FILES, STORED_FILES
from tabwarden.surfaces.http.routes.hooks import HOOKS
from tabwarden.surfaces.http.routes.keeping import KEEPING
from tabwarden.surfaces.http.routes.pages import PAGES
from tabwarden.surfaces.http.routes.profiles import PROFILES
from tabwarden.surfaces.http.routes.settings import SETTINGS
from tabwarden.surfaces.http.routes.status import LIFECYCLE, STATUS
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
