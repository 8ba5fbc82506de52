"""Person: the input of a person who has control of a task."""

from tabwarden.page.person.sending import PersonInput

__all__ = ["PersonInput"]
