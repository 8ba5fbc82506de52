"""The actions: each defined once, with its parameters, words and switch; every surface is derived.

``ACTIONS`` is the registry; ``dispatch`` runs one by name.
"""

from tabwarden.actions import hands, lifecycle, pages, prompts, scripts
from tabwarden.actions.dispatch import Answer, dispatch
from tabwarden.actions.registry import ACTIONS, Action, available
from tabwarden.actions.session import Session

__all__ = [
    "ACTIONS",
    "Action",
    "Answer",
    "Session",
    "available",
    "dispatch",
    "hands",
    "lifecycle",
    "pages",
    "prompts",
    "scripts",
]
