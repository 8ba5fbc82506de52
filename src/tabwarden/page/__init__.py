"""What is done on a page: snapshot and refs, mouse and keyboard, evaluate, navigation, rescue.

Each file is one verb or one idea. ``perform`` is how every action runs: a ready tab, a race, and
an answer in time whatever the page does.
"""

from tabwarden.page.act import perform, perform_without_page
from tabwarden.page.picture import Screenshot
from tabwarden.page.result import ActionResult, NewSinceLast
from tabwarden.page.snapshot import Snapshot
from tabwarden.page.task import Task

__all__ = [
    "ActionResult",
    "NewSinceLast",
    "Screenshot",
    "Snapshot",
    "Task",
    "perform",
    "perform_without_page",
]
