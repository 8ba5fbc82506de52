"""The runtime: the driver around the core, and the code with which calls wait.

``driver`` passes the connection's events to the state machine and sends the machine's commands.
``race`` decides how a wait ends, ``loop`` runs the only engine loop, and ``registry`` keeps one
supervisor per task.

To change:

- what ends an action's wait, a ``Race`` (deadline, dialog, crash): ``race.py``; no other module
  decides this
"""

from tabwarden.engine import EngineLoop, engine_loop
from tabwarden.supervisor.runtime.driver import Audience, CDPSupervisor, Subscription
from tabwarden.supervisor.runtime.page_scripts import (
    fresh_bridge,
    fresh_notes,
    fresh_programs,
    fresh_prompts,
)
from tabwarden.supervisor.runtime.race import (
    CommandRefused,
    Interrupted,
    NavigatedAway,
    Pending,
    Race,
    crashed_error,
)
from tabwarden.supervisor.runtime.registry import SupervisorRegistry
from tabwarden.supervisor.runtime.thread_future import Handoff

__all__ = [
    "Audience",
    "CDPSupervisor",
    "CommandRefused",
    "EngineLoop",
    "Handoff",
    "Interrupted",
    "NavigatedAway",
    "Pending",
    "Race",
    "Subscription",
    "SupervisorRegistry",
    "crashed_error",
    "engine_loop",
    "fresh_bridge",
    "fresh_notes",
    "fresh_programs",
    "fresh_prompts",
]
