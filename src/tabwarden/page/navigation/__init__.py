"""Navigation: ``navigate`` loads and reloads pages, ``tabs`` opens, closes and switches tabs, and
``wait`` waits for text, an element, a URL or a load state."""

__all__ = ["answered", "navigate", "tabs", "wait"]
