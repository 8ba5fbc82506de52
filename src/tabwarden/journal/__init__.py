"""Journal: the calls that an agent made on its browser, and what came of them."""

from tabwarden.journal.entry import Entry, current, noted, typed
from tabwarden.journal.journal import Journal, Watcher
from tabwarden.journal.journaled import journaled
from tabwarden.journal.secrets import SECRET, Secrets
from tabwarden.journal.telling import hidden_with, typed_form

__all__ = [
    "SECRET",
    "Entry",
    "Journal",
    "Secrets",
    "Watcher",
    "current",
    "hidden_with",
    "journaled",
    "noted",
    "typed",
    "typed_form",
]
