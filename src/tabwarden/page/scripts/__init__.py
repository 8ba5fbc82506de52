"""Scripts: ``evaluate`` runs a caller's script under the budget and returns its value. ``cdp``
sends a raw CDP command, within the limits of ``cdp_denylist`` and ``cdp_scope``."""

__all__ = ["cdp", "evaluate", "express", "off_limits"]
