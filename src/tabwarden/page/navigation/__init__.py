"""Navigation: ``navigate`` loads and reloads pages, ``tabs`` opens, closes and switches tabs, and
``wait`` waits for text, an element, a URL or a load state.

To change:

- what a navigation says that ends without its page: ``not_loaded.py``; ``arriving.py`` beside it
  for documents without an end; ``page/call/load_failed.py`` for errors
- what the action ``wait`` waits for: ``condition.py`` checks the arguments, ``wait.py`` waits
"""

from tabwarden.page.navigation.condition import Condition, condition_of

__all__ = ["Condition", "condition_of", "navigate", "tabs", "wait"]
