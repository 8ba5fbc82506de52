"""A plugin for Operator-Use: its tool ``browser`` runs on Tabwarden. See README.md."""

from tabwarden.integrations.operator_use.plugin.plugin import TabwardenPlugin

__all__ = ["TabwardenPlugin"]
