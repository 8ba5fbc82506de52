"""Run the caller's scripts and raw CDP commands. ``evaluate`` runs a script under the budget and
returns its value. ``cdp`` sends a raw CDP command if ``cdp_allowlist``, ``cdp_limits`` and
``cdp_scope`` permit it. ``until_true`` waits until a script returns a true value.

To change:

- how a script becomes a command, and which scripts the caller's thread sends: ``script.py``,
  ``evaluate_fast_path.py``; decision 0021 gives the reasons
- which raw CDP commands are allowed: ``cdp_allowlist.py`` lists the allowed commands with their
  reach, and the reasons for refusing others; ``cdp_limits.py`` protects this computer, and
  ``cdp_scope.py`` protects other tasks
"""

from tabwarden.page.scripts.script import as_function, is_function, only_as_statements
from tabwarden.page.scripts.until_true import until_true

__all__ = ["as_function", "is_function", "only_as_statements", "until_true"]

PUBLIC = ("cdp", "cdp_limits")
