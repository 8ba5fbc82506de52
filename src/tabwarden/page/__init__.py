"""Actions on a page: snapshots and refs, mouse and keyboard, evaluate, navigation, rescue.

Each file has one verb or one idea. ``perform`` runs every action: it prepares the tab, runs a race,
and returns in time even if the page hangs.

To change:

- how an action works on a page, its parameters, texts, permission and group: its function and card
  in ``page/`` or ``recording/`` (``task/card.py``, decision 0032)
"""

from tabwarden.page.call import perform, perform_without_page
from tabwarden.page.capture import Screenshot
from tabwarden.page.task import ActionResult, NewSinceLast, Snapshot, Task

__all__ = [
    "ActionResult",
    "NewSinceLast",
    "Screenshot",
    "Snapshot",
    "Task",
    "perform",
    "perform_without_page",
]
