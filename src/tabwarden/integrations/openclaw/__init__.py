"""OpenClaw: its tool ``browser`` (``dialect``), and our plugin for it.

Its contract over HTTP is that of ``tabwarden serve``: ``tabwarden.control_api``.
"""
