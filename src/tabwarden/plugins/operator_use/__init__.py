"""A plugin for Operator-Use: its tool ``browser`` runs on Tabwarden. README.md says how."""

from tabwarden.plugins.operator_use.plugin import TabwardenPlugin

__all__ = ["TabwardenPlugin"]
