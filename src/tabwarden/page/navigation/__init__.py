"""Navigation: ``navigate`` loads and reloads pages, ``tabs`` opens, closes and switches tabs, and
``wait`` waits for text, an element, a URL or a load state."""

from tabwarden.page.navigation.condition import Condition, condition_of

__all__ = ["Condition", "answered", "condition_of", "navigate", "tabs", "wait"]
