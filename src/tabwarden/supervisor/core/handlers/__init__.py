"""The handlers: how each event and each reply changes the state, one module or package per concern.

The tables in ``machine`` define which handler gets which input.

To change:

- how Tabwarden handles a browser event: ``supervisor/core/handlers/``: one file per concern
  (``network/`` has the requests); add a row to that file's ``EVENTS``
- the tools that a page offers, and how they run: ``page_tools.py`` (pure) stores each frame's
  tools, ``page/webmcp/run.py`` runs a tool, ``page/webmcp/schema.py`` checks its arguments
- which targets belong to a task in a shared browser: ``target_ownership.py``, and
  ``supervisor/contexts/contexts.py`` for the task's context; decision 0015 gives the reasons
"""

from tabwarden.supervisor.core.handlers.bridge import bridge_of
from tabwarden.supervisor.core.handlers.console import LEVELS, explains_refusal
from tabwarden.supervisor.core.handlers.emulating import metrics_of
from tabwarden.supervisor.core.handlers.frames import AGENT_WORLD_NAME, descendants
from tabwarden.supervisor.core.handlers.network import failing_route, why_failed
from tabwarden.supervisor.core.handlers.page_notes import permission_command, programs_of
from tabwarden.supervisor.core.handlers.page_tools import tools_of
from tabwarden.supervisor.core.handlers.set_up import intercepting
from tabwarden.supervisor.core.handlers.target_ownership import tab_commands
from tabwarden.supervisor.core.handlers.titles import is_address

__all__ = [
    "AGENT_WORLD_NAME",
    "LEVELS",
    "bridge_of",
    "descendants",
    "explains_refusal",
    "failing_route",
    "intercepting",
    "is_address",
    "metrics_of",
    "permission_command",
    "programs_of",
    "tab_commands",
    "tools_of",
    "why_failed",
]
