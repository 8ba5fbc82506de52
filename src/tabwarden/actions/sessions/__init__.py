"""Sessions: a session manages one agent's browser. On a server, each task has one session.

``session_of`` creates a session that opens its browser as configured.
"""

from tabwarden.actions.sessions.admission import Limits
from tabwarden.actions.sessions.opening import session_of
from tabwarden.actions.sessions.session import Need, Session, Way
from tabwarden.actions.sessions.tasks import (
    DEFAULT_TASK,
    TASK_NAME,
    Tasks,
    checked_name,
)

__all__ = [
    "DEFAULT_TASK",
    "TASK_NAME",
    "Limits",
    "Need",
    "Session",
    "Tasks",
    "Way",
    "checked_name",
    "session_of",
]
