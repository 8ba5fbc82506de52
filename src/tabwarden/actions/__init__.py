"""The actions. Each is defined once, in ``definitions``, and all surfaces use that definition.

``ACTIONS`` is the registry, and ``dispatch`` runs an action by name. ``prepare`` only checks a
call, for a surface that needs the call's budget first. ``sessions`` manages the browsers.
"""

from tabwarden.actions import definitions
from tabwarden.actions.dispatch import (
    Aim,
    Answer,
    Performed,
    PreparedCall,
    check_allowed,
    dispatch,
    perform,
    prepare,
    refused,
    refusing,
)
from tabwarden.actions.groups import GROUPS
from tabwarden.actions.output_schema import output_schema, schema_of
from tabwarden.actions.registry import ACTIONS, Action, Checked, Form, TimeoutMs, available
from tabwarden.actions.sessions import (
    DEFAULT_TASK,
    TASK_NAME,
    Limits,
    Session,
    Tasks,
    Way,
    checked_name,
    session_of,
)
from tabwarden.actions.tool import Tool
from tabwarden.actions.toolset import TOOLSETS, RegistryTools, Toolset

__all__ = [
    "ACTIONS",
    "DEFAULT_TASK",
    "GROUPS",
    "TASK_NAME",
    "TOOLSETS",
    "Action",
    "Aim",
    "Answer",
    "Checked",
    "Form",
    "Limits",
    "Performed",
    "PreparedCall",
    "RegistryTools",
    "Session",
    "Tasks",
    "TimeoutMs",
    "Tool",
    "Toolset",
    "Way",
    "available",
    "check_allowed",
    "checked_name",
    "definitions",
    "dispatch",
    "output_schema",
    "perform",
    "prepare",
    "refused",
    "refusing",
    "schema_of",
    "session_of",
]
