"""Storage: cookies, local and session storage, the clipboard, and storage states in files.

A hidden page (``origin_page``) gives access to the clipboard and to origins without an open tab.
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
