"""Operator-Use: its tools (``dialect``), and our plugin for it."""
