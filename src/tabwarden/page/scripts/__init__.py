"""Scripts: ``evaluate`` runs a caller's script under the budget and returns its value. ``cdp``
sends a raw CDP command, if ``cdp_allowlist`` has it, and within ``cdp_limits`` and ``cdp_scope``.
``until_true`` waits until a script is true."""

from tabwarden.page.scripts.script import as_function, is_function, only_as_statements
from tabwarden.page.scripts.until_true import until_true

__all__ = ["as_function", "is_function", "only_as_statements", "until_true"]
