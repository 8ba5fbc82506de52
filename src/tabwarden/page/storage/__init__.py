"""Cookies, local and session storage, the clipboard, and storage states in files.

A hidden page (``origin_page``) provides access to the clipboard and to origins without an open tab.

To change:

- the content of a storage state: ``storage_state.py``; its format: ``state_format.py``; IndexedDB:
  ``indexed_db.js``
- how cookie files and curl commands are read and written: ``cookie_files.py`` (no I/O),
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
