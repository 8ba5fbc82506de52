"""A plugin for Operator-Use: its tool ``browser`` runs on Tabwarden. README.md says how."""

from tabwarden.integrations.operator_use.plugin.plugin import TabwardenPlugin

__all__ = ["TabwardenPlugin"]
