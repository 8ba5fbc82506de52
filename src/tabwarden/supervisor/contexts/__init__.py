"""Browser contexts: separate cookies, proxy and downloads for a task in a shared browser."""

from tabwarden.supervisor.contexts.context_proxy import GateKeeper
from tabwarden.supervisor.contexts.contexts import OwnContext, TaskContext, first_tab
from tabwarden.supervisor.contexts.own_window import OwnWindow, close_tabs, has_company
from tabwarden.supervisor.contexts.shared_key import family_secret

__all__ = [
    "GateKeeper",
    "OwnContext",
    "OwnWindow",
    "TaskContext",
    "close_tabs",
    "family_secret",
    "first_tab",
    "has_company",
]
