"""Journal: the calls that an agent made on its browser, and what came of them."""

from tabwarden.journal.actor import as_person, person_now
from tabwarden.journal.entry import Entry, current, noted, typed
from tabwarden.journal.journal import Journal, Watcher
from tabwarden.journal.journaled import journaled
from tabwarden.journal.redaction import hidden, hidden_with, typed_form
from tabwarden.journal.secrets import SECRET, Secrets

__all__ = [
    "SECRET",
    "Entry",
    "Journal",
    "Secrets",
    "Watcher",
    "as_person",
    "current",
    "hidden",
    "hidden_with",
    "journaled",
    "noted",
    "person_now",
    "typed",
    "typed_form",
]
