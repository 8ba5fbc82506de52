"""Person: the input of a person who has control of a task, and the agent's call for one."""

from tabwarden.page.person.alerts import Alerts
from tabwarden.page.person.sending import PersonInput

__all__ = ["Alerts", "PersonInput", "handoff"]
