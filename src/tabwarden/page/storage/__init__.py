"""Storage: cookies, local and session storage, the clipboard, and storage states in files.

A hidden page (``origin_page``) gives access to the clipboard and to origins without an open tab.

To change:

- which cookies and storage a storage state has: ``storage_state.py``, its form ``state_format.py``,
  IndexedDB in ``indexed_db.js``
- how cookie files and curl commands are read and written: ``cookie_files.py`` (pure),
  ``cookie_transfer.py``
"""

__all__ = [
    "clipboard",
    "cookie_transfer",
    "cookies",
    "state_file",
    "state_format",
    "state_merge",
    "storage",
    "storage_state",
]
