"""Hermes Agent: its supervisor API (``api``), its tools (``dialect``), and our plugin for Hermes
Agent.
"""
