"""Return a page's console messages and network requests to the agent."""

__all__ = ["console", "network", "one_request"]
