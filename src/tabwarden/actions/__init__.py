"""The actions. Each is defined once, either by a card (``page/task/card.py``) or in
``definitions``.

All interfaces (CLI, HTTP, MCP) use the registry ``ACTIONS``. ``dispatch`` runs an action by name.
``prepare`` checks a call without running it, for an interface that needs the call's budget first.
``sessions`` manages the browsers.

To change:

- our equivalent of another product's tool, parameter or command line: ``other_names.py`` for
  models, ``surfaces/command_table/peers.py`` for shells
- an action's permission and group of tools: its ``@card(...)`` or ``@action(...)``;
  ``permissions.py`` lists the arguments that need further permissions; the permission for a route
  without an action is in ``StatusRoute.needs``
"""

from tabwarden.actions import definitions
from tabwarden.actions.dispatch import (
    Aim,
    Answer,
    Performed,
    PreparedCall,
    check_allowed,
    checked_call,
    dispatch,
    perform,
    prepare,
    refused,
    refusing,
)
from tabwarden.actions.groups import GROUPS
from tabwarden.actions.output_schema import output_schema, schema_of
from tabwarden.actions.permissions import check_permission, permissions_of
from tabwarden.actions.pictures import without_picture
from tabwarden.actions.registry import ACTIONS, Action, Checked, Form, TimeoutMs, available
from tabwarden.actions.sessions import (
    DEFAULT_TASK,
    FULL_NAME,
    TASK_NAME,
    ConfigSource,
    Limits,
    Session,
    Tasks,
    TenantConfig,
    TenantTasks,
    Way,
    checked_full_name,
    checked_name,
    checked_tenant,
    full_name,
    narrowed,
    own_name,
    session_of,
    tenant_of,
)
from tabwarden.actions.tool import Tool
from tabwarden.actions.toolset import TOOLSETS, RegistryTools, Toolset

__all__ = [
    "ACTIONS",
    "DEFAULT_TASK",
    "FULL_NAME",
    "GROUPS",
    "TASK_NAME",
    "TOOLSETS",
    "Action",
    "Aim",
    "Answer",
    "Checked",
    "ConfigSource",
    "Form",
    "Limits",
    "Performed",
    "PreparedCall",
    "RegistryTools",
    "Session",
    "Tasks",
    "TenantConfig",
    "TenantTasks",
    "TimeoutMs",
    "Tool",
    "Toolset",
    "Way",
    "available",
    "check_allowed",
    "check_permission",
    "checked_call",
    "checked_full_name",
    "checked_name",
    "checked_tenant",
    "definitions",
    "dispatch",
    "full_name",
    "narrowed",
    "output_schema",
    "own_name",
    "perform",
    "permissions_of",
    "prepare",
    "refused",
    "refusing",
    "schema_of",
    "session_of",
    "tenant_of",
    "without_picture",
]
