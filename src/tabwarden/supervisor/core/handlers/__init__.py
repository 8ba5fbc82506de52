"""The handlers: how each event and each reply changes the state, one file or folder per concern.

The tables in ``machine`` say which handler gets which input.
"""

from tabwarden.supervisor.core.handlers.bridge import bridge_of
from tabwarden.supervisor.core.handlers.console import LEVELS
from tabwarden.supervisor.core.handlers.emulating import metrics_of
from tabwarden.supervisor.core.handlers.frames import AGENT_WORLD_NAME, WORLD_NAME, descendants
from tabwarden.supervisor.core.handlers.network import failing_route, why_failed
from tabwarden.supervisor.core.handlers.page_notes import permission_command, programs_of
from tabwarden.supervisor.core.handlers.page_tools import tools_of
from tabwarden.supervisor.core.handlers.set_up import intercepting
from tabwarden.supervisor.core.handlers.target_ownership import tab_commands
from tabwarden.supervisor.core.handlers.titles import is_address

__all__ = [
    "AGENT_WORLD_NAME",
    "LEVELS",
    "WORLD_NAME",
    "bridge_of",
    "descendants",
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
