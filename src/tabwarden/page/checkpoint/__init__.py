"""Checkpoints: what a new browser gets of a task's pages, if the task's browser is lost.

A checkpoint has the cookies, the localStorage and the tabs (by URL). It stays in this process's
memory, because it has the task's logins.
"""

from tabwarden.page.checkpoint.checkpoint import Checkpoint
from tabwarden.page.checkpoint.checkpoints import Checkpoints

__all__ = ["Checkpoint", "Checkpoints"]
