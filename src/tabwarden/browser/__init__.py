"""Browser: the async API for one agent's browser. ``tabwarden.sync`` is generated from it.

Every method turns ``timeout_ms`` into one budget and runs on the engine's loop. ``browser`` opens
and closes browsers. Each other module has the methods for one purpose; their base class is in
``base``.

To change:

- what higher packages use of a browser in addition to its methods: ``inside.py``
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
