"""The actions: each defined once, with its parameters, words and switch; every surface is derived.

``ACTIONS`` is the registry; ``dispatch`` runs one by name, under the budget of ``budget_for``.
"""

# Tools are shown in the order in which these register them.
# isort: off
from tabwarden.actions import pages
from tabwarden.actions import hands
from tabwarden.actions import forms
from tabwarden.actions import viewing
from tabwarden.actions import finding
from tabwarden.actions import prompts
from tabwarden.actions import files
from tabwarden.actions import scripts
from tabwarden.actions import storage
from tabwarden.actions import emulation
from tabwarden.actions import network
from tabwarden.actions import lifecycle

# isort: on
from tabwarden.actions.dispatch import Answer, budget_for, dispatch
from tabwarden.actions.performing import Aim, Performed, check_allowed, perform
from tabwarden.actions.registry import ACTIONS, Action, Form, available
from tabwarden.actions.session import Session, Way
from tabwarden.actions.tasks import DEFAULT_TASK, TASK_NAME, TaskLimit, Tasks
from tabwarden.actions.toolset import TOOLSETS, Tool, Toolset

__all__ = [
    "ACTIONS",
    "DEFAULT_TASK",
    "TASK_NAME",
    "TOOLSETS",
    "Action",
    "Aim",
    "Answer",
    "Form",
    "Performed",
    "Session",
    "TaskLimit",
    "Tasks",
    "Tool",
    "Toolset",
    "Way",
    "available",
    "budget_for",
    "check_allowed",
    "dispatch",
    "emulation",
    "files",
    "finding",
    "forms",
    "hands",
    "lifecycle",
    "network",
    "pages",
    "perform",
    "prompts",
    "scripts",
    "storage",
    "viewing",
]
