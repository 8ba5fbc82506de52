"""Journal: the calls that an agent made on its browser, and what came of them."""

from tabwarden.journal.actor import as_person, person_now
from tabwarden.journal.entry import Entry, current, noted
from tabwarden.journal.journal import Journal, Watcher
from tabwarden.journal.journaled import journaled

__all__ = [
    "Entry",
    "Journal",
    "Watcher",
    "as_person",
    "current",
    "journaled",
    "noted",
    "person_now",
]
