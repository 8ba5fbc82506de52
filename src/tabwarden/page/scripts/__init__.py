"""Scripts: ``evaluate`` runs a caller's script under the budget and returns its value. ``cdp``
sends a raw CDP command, within the limits of ``cdp_denylist`` and ``cdp_scope``."""

from tabwarden.page.scripts.script import as_function, is_function, only_as_statements

__all__ = ["as_function", "is_function", "only_as_statements"]
