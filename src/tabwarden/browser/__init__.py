"""Browser: the async API for one agent's browser. ``tabwarden.sync`` is generated from it.

Every method turns ``timeout_ms`` into one budget and runs on the engine's loop. ``browser`` opens
and closes; each other module has the methods for one purpose, on the base that ``base`` has.

To change:

- what the packages above use of a browser beside its methods: ``inside.py``
"""

from tabwarden.browser.browser import Browser

__all__ = ["Browser"]
