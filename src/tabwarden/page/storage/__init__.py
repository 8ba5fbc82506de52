"""Storage: cookies, local and session storage, the clipboard, and storage states in files.

Origins without an open tab, and the clipboard, are accessed through a hidden page of Tabwarden's
(``origin_page``).
"""

__all__ = ["clipboard", "cookies", "state_file", "storage", "storage_state"]
