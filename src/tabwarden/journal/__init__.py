"""Journal: an agent's calls on its browser, and their results.

To change:

- where secrets in the configuration are masked: ``secrets.py`` keeps them, and ``forms.py`` finds
  their encoded forms; ``browser/journaled.py`` masks them in each result and error of ``Browser``,
  ``browser/status.py`` in states and events, ``telemetry/task.py`` in logs,
  ``surfaces/live/watched.py`` in the live view. A new interface gets masked results. Data that it
  reads without ``Browser`` must pass through ``Control.hide`` (``page/control/control.py``)
- which of a call's arguments and results are secret: ``redaction.py``;
  ``page/walker/js/dom/secret_fields.js`` decides which fields contain secrets
"""

from tabwarden.journal.brief import CHARS
from tabwarden.journal.entry import Entry, current_call, set_on_current_call, typed
from tabwarden.journal.journal import INTERRUPTIONS, Journal, Watcher, as_person, current_person
from tabwarden.journal.redaction import hidden, hidden_with, typed_form
from tabwarden.journal.secrets import SECRET, Secrets

__all__ = [
    "CHARS",
    "INTERRUPTIONS",
    "SECRET",
    "Entry",
    "Journal",
    "Secrets",
    "Watcher",
    "as_person",
    "current_call",
    "current_person",
    "hidden",
    "hidden_with",
    "set_on_current_call",
    "typed",
    "typed_form",
]
