"""The async API for one agent's browser. ``tabwarden.sync`` is generated from it.

Every method turns ``timeout_ms`` into one budget and runs on the engine's event loop. ``browser``
opens and closes browsers. Each of the other modules has the methods for one purpose. Their base
class is in ``base``.

To change:

- which parts of a browser higher packages use in addition to its methods: ``inside.py``
"""

from tabwarden.browser.browser import Browser

__all__ = ["Browser"]
