"""OpenClaw: its tool ``browser`` (``dialect``), and our plugin for it.

``tabwarden serve`` implements its HTTP contract (``tabwarden.control_api``).
"""
