"""Sync: ``Browser`` for code without an event loop. tools/generate_sync.py makes the modules."""

from tabwarden.sync.browser import Browser

__all__ = ["Browser"]
