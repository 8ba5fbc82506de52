"""Transfer a browser's state to a new browser, through a checkpoint or a named file.

A checkpoint contains the cookies, the web storage and the tabs (by URL). It is stored only in the
memory of this process, because it contains the task's logins. A kept state is a file that the next
session loads.

To change:

- how ``restore`` loads and saves a state, and how the states of several tasks are merged:
  ``kept_state.py``, ``page/storage/state_merge.py`` (pure)
"""

from tabwarden.page.checkpoint.checkpoints import Checkpoint, Checkpoints
from tabwarden.page.checkpoint.kept_state import keep_session_cookies, keep_state

__all__ = ["Checkpoint", "Checkpoints", "keep_session_cookies", "keep_state"]
