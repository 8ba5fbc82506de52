"""Navigation: ``navigate`` loads and reloads pages, ``tabs`` opens, closes and switches tabs, and
``wait`` waits for text, an element, a URL or a load state.

To change:

- the message for a navigation that does not load a page: ``not_loaded.py``; for documents that
  never finish loading: ``arriving.py``; for errors: ``page/call/load_failed.py``
- the conditions of the action ``wait``: ``condition.py`` checks the arguments, ``wait.py`` waits
"""

from tabwarden.page.navigation.condition import Condition, condition_of

__all__ = ["Condition", "condition_of", "navigate", "tabs", "wait"]
