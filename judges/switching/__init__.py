"""Tests features that switching users would miss, with each tool that has them: ``python -m
judges.switching``."""
