"""Actor: who makes the calls in this context: the agent, or a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_person: ContextVar[str | None] = ContextVar("person", default=None)
"""The name of the person. A coroutine on the engine has its caller's context."""


@contextmanager
def as_person(name: str) -> Iterator[None]:
    """Make the block's calls on behalf of a person. They don't wait for the person who has control,
    and the agent is told what they did."""
    reset = _person.set(name)
    try:
        yield
    finally:
        _person.reset(reset)


def current_person() -> str | None:
    """Return the person who makes the calls in this context; None if the agent makes them."""
    return _person.get()
