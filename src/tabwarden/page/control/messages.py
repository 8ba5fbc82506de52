"""Messages about control and hand-offs, for the agent and the user interfaces."""

from __future__ import annotations

from typing import Any

from tabwarden.page.control.lease import Handoff, Lease, Person, Why
from tabwarden.page.control.person_actions import PersonActions
from tabwarden.page.text import bare, quoted

_OUTCOMES = {
    "done": "is done",
    "refused": "was refused",
    "idle": "ended because the person sent no more input",
    "operator": "was ended by the operator",
    "nobody": "ended because nobody responded",
    "closed": "ended because the browser was closed",
}

_ENDS = {"idle": ", then sent no more input", "operator": ", until the operator took control back"}


def control_words(person: Person, why: Why, message: str, actions: PersonActions) -> str:
    """Return a sentence about a person's control: what the person did, and the person's message."""
    wrote = f", and wrote {quoted(message)}" if message else ""
    return f"{bare(person.name)} had control: {actions.summary()}{_ENDS.get(why, '')}{wrote}"


def handoff_words(handoff: Handoff) -> str:
    """Return a sentence about a hand-off that ended after the call that requested it had
    returned."""
    message = f": {quoted(handoff.message)}" if handoff.message else ""
    return f"hand-off {handoff.id} {_OUTCOMES[handoff.outcome or 'nobody']}{message}"


def control_json(lease: Lease | None) -> dict[str, Any]:
    """Return the person with control, and the hand-offs, as JSON. ``lease`` is None if no browser
    is open."""
    lease = lease or Lease()
    holder = lease.holder
    person = None if holder is None else {"name": holder.name, "since": holder.since}
    return {
        "holder": person,
        "waiting_handoffs": [handoff_json(one) for one in lease.waiting_handoffs],
        "ended_handoffs": [handoff_json(one) for one in lease.ended_handoffs],
    }


def handoff_json(handoff: Handoff) -> dict[str, Any]:
    """Return a hand-off as JSON for the interfaces."""
    fields: dict[str, Any] = {
        "id": handoff.id,
        "reason": handoff.reason,
        "asked_at": handoff.asked_at,
        "ends_at": handoff.ends_at,
        "outcome": handoff.outcome,
    }
    fields |= {name: text for name in ("by", "message") if (text := getattr(handoff, name))}
    return fields
