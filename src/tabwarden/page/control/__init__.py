"""Whether the agent or a person controls a task.

``lease`` is the pure state machine: one lease per task, and the hand-offs that an agent requests.
``control`` applies it: the agent's calls wait while a person has control. ``person_actions``
summarizes the person's actions.

To change:

- when a person has control, and how control and hand-offs end: ``lease.py`` (pure)
- what results tell the agent about a person: ``person_actions.py`` has the summary, and
  ``messages.py`` the sentences; ``journal/secrets.py`` hides the typed secrets
"""

from tabwarden.page.control.control import HIDDEN, RECORDED, Control
from tabwarden.page.control.lease import (
    LONGEST_TEXT,
    Change,
    ControlReleased,
    ControlTaken,
    Handoff,
    HandoffAsked,
    HandoffEnded,
    Outcome,
    Why,
)
from tabwarden.page.control.messages import control_json, handoff_json
from tabwarden.page.control.person_actions import PersonActions

__all__ = [
    "HIDDEN",
    "LONGEST_TEXT",
    "RECORDED",
    "Change",
    "Control",
    "ControlReleased",
    "ControlTaken",
    "Handoff",
    "HandoffAsked",
    "HandoffEnded",
    "Outcome",
    "PersonActions",
    "Why",
    "control_json",
    "handoff_json",
]
