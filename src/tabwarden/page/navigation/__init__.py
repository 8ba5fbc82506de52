"""Navigation: load a URL, go back and forward, open and switch tabs, wait for a page.

``navigate`` loads and reloads pages, ``tabs`` opens, closes and switches tabs, and ``wait`` waits
for a text, a selector, a URL or a load state.
"""

__all__ = ["answered", "navigate", "tabs", "wait"]
