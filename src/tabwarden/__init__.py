"""Tabwarden: the browser that an AI agent can't get stuck in.

``Browser`` is the async door, ``tabwarden.sync.Browser`` the sync one. Every call has one budget
and returns by then; whatever blocks the page is in the state that the agent reads anyway.
"""

import logging
from importlib.metadata import version

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, Config, load_config
from tabwarden.errors import TabwardenError
from tabwarden.page import ActionResult, Screenshot, Snapshot
from tabwarden.supervisor import CDPSupervisor, SupervisorRegistry, SupervisorSnapshot

logging.getLogger("tabwarden").addHandler(logging.NullHandler())  # a library prints nothing itself

__version__ = version("tabwarden")

__all__ = [
    "ActionResult",
    "Browser",
    "BrowserConfig",
    "Budget",
    "CDPSupervisor",
    "Config",
    "Screenshot",
    "Snapshot",
    "SupervisorRegistry",
    "SupervisorSnapshot",
    "TabwardenError",
    "__version__",
    "load_config",
]
