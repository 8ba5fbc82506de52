"""Sessions: a session manages one agent's browser. On a server, each task has one session.
Each tenant of a server has its own tasks (``names``, ``tenant_tasks``, ``tenant_config``).

``session_of`` creates a session that opens its browser as configured.

To change:

- what a tenant can access: ``names.py`` (pure: maps tasks to tenants), ``tenant_tasks.py`` and
  ``tenant_config.py``; a request can access only ``CallerService`` (``surfaces/http/service.py``)
- when a server refuses to open another browser: ``admission.py`` (pure); ``memory.py`` reads the
  free memory
"""

from tabwarden.actions.sessions.admission import Limits
from tabwarden.actions.sessions.names import (
    DEFAULT_TASK,
    FULL_NAME,
    TASK_NAME,
    checked_full_name,
    checked_name,
    checked_tenant,
    full_name,
    own_name,
    tenant_of,
)
from tabwarden.actions.sessions.opening import session_of
from tabwarden.actions.sessions.session import Session, Way
from tabwarden.actions.sessions.tasks import Tasks
from tabwarden.actions.sessions.tenant_config import ConfigSource, TenantConfig, narrowed
from tabwarden.actions.sessions.tenant_tasks import TenantTasks

__all__ = [
    "DEFAULT_TASK",
    "FULL_NAME",
    "TASK_NAME",
    "ConfigSource",
    "Limits",
    "Session",
    "Tasks",
    "TenantConfig",
    "TenantTasks",
    "Way",
    "checked_full_name",
    "checked_name",
    "checked_tenant",
    "full_name",
    "narrowed",
    "own_name",
    "session_of",
    "tenant_of",
]
