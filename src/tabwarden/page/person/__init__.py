"""The input of a person who has control of a task, and the agent's requests for help from a person.

To change:

- a person's input: ``page/person/events.py`` (the events), ``sending.py``
- how a hand-off reaches a person: ``alerts.py``, ``surfaces/mcp/elicitation.py``,
  ``surfaces/mcp/resources.py``, ``surfaces/cli/commands/browser/sessions.py``,
  ``surfaces/http/routes/control.py``
"""

from tabwarden.page.person.alerts import Alerts
from tabwarden.page.person.sending import PersonInput

__all__ = ["Alerts", "PersonInput", "handoff"]
