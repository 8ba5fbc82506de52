"""Tickets: prove to a host that the coordinator gave a task to the ticket's holder.

Each host makes a key and tells only the coordinator. So a host can't make tickets for other hosts.
A ticket is for one generation of one task.
"""

from __future__ import annotations

import hashlib
import hmac


def ticket_for(key: bytes, task: str, generation: int) -> str:
    """Return the ticket for one generation of a task, made with a host's key."""
    return hmac.new(key, _bytes(f"{task}\n{generation}"), hashlib.sha256).hexdigest()


def is_valid_ticket(ticket: str, key: bytes, task: str, generation: int) -> bool:
    """Return whether a ticket is the one for this generation of the task. Any text may be given."""
    return hmac.compare_digest(_bytes(ticket), _bytes(ticket_for(key, task, generation)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # a request's header may have any bytes
