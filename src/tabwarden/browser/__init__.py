"""The async API for one agent's browser. ``tabwarden.sync`` is generated from it.

Every method turns ``timeout_ms`` into one budget and runs on the engine's event loop. ``browser``
opens and closes browsers. Each of the other modules has the methods for one purpose. Their base
class is in ``base``.

To change:

- which parts of a browser higher packages use in addition to its methods: ``inside.py``
"""

from tabwarden.browser.batching import batch_preparer
from tabwarden.browser.browser import Browser
from tabwarden.browser.inside import Inside
from tabwarden.browser.opening import Wanted, new_task_id, open_task, registry, to_attach, to_launch

__all__ = [
    "Browser",
    "Inside",
    "Wanted",
    "batch_preparer",
    "new_task_id",
    "open_task",
    "registry",
    "to_attach",
    "to_launch",
]
