"""How long this package waits, and why."""

PRESET_ANSWER_S = 20.0
"""A preset answer expires after this time if the page does not take it."""
REREAD_S = 0.4
"""If reading a page's request has given no result after this time, read it again."""
UNANSWERABLE_S = 1.5
"""A tab that has not answered this long after a reconnect counts as stuck."""
SILENT_PAGE_S = 0.5
"""A page that has not answered this long after a reconnect counts as hung."""
LOST_DIALOGS_S = 8.0
"""After a reconnect, how long to wait for a page to ask again."""
