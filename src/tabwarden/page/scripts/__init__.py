"""Scripts: ``evaluate`` runs a caller's script under the budget and returns its value. ``cdp``
sends a raw CDP command, if ``cdp_allowlist`` has it, and within ``cdp_limits`` and ``cdp_scope``.
``until_true`` waits until a script is true.

To change:

- how a script becomes a command, and which scripts the caller's thread sends: ``script.py``,
  ``evaluate_fast_path.py``; decision 0021 gives the reasons
- which raw CDP commands are allowed: ``cdp_allowlist.py`` names all that are, how far each reaches,
  and why others are not; ``cdp_limits.py`` protects this machine, and ``cdp_scope.py`` protects
  other tasks
"""

from tabwarden.page.scripts.script import as_function, is_function, only_as_statements
from tabwarden.page.scripts.until_true import until_true

__all__ = ["as_function", "is_function", "only_as_statements", "until_true"]

PUBLIC = ("cdp", "cdp_limits")
