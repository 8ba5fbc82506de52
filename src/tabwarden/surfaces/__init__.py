"""The surfaces: ways in for hosts and people. Thin, all derived from ``tabwarden.actions``."""
