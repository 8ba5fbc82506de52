"""Actions on a page: snapshots and refs, mouse and keyboard, evaluate, navigation, rescue.

Each file has one verb or one idea. ``perform`` runs every action: it prepares the tab, runs a race,
and answers in time whatever the page does.
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
