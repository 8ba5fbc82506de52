"""Logs: a page's console messages and network requests, for the agent."""

__all__ = ["console", "network", "one_request"]
