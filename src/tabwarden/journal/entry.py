"""Entry: one call of an agent, from its start to its end."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Literal

import msgspec

from tabwarden.journal.redaction import redacted_arguments, redacted_result
from tabwarden.journal.secrets import Secrets

Status = Literal["running", "ok", "interrupted", "stopped", "failed", "cancelled"]


class Entry(msgspec.Struct, kw_only=True, eq=False):
    """One call. The fields below ``ended`` are complete once ``ended`` is set.

    The engine adds ``tab_id``, ``element`` and ``point`` while the call runs.
    """

    number: int
    """Counts the task's calls from 1."""
    action: str
    """The method's name (``click``)."""
    arguments: dict[str, Any]
    """The arguments that the caller gave, by name, with secrets: see ``redacted_arguments``."""
    began: float
    """Seconds since 1970."""
    by: str = ""
    """The person who made the call; "" for the agent."""
    parent: int | None = None
    """The number of the call that made this one (a batch)."""
    tab_id: str | None = None
    element: dict[str, Any] | None = None
    """The element that the call acted on, as ``{"ref", "role", "name"}``."""
    locators: list[dict[str, Any]] = []
    """How to find the call's elements again, if a recording wants that: ``{"named", "role", "name",
    "frames", "candidates"}`` for each element that the call named (``page/elements``)."""
    text_appeared: str = ""
    """A text that appeared after the call, if a recording wants to know it."""
    point: tuple[float, float] | None = None
    """Where the mouse pressed, in CSS pixels of the tab's viewport."""
    points: list[tuple[float, float]] = []
    """The points of the viewport that a call with points of a picture means, in their order."""
    ended: float | None = None
    status: Status = "running"
    code: str = ""
    """The error's code."""
    message: str = ""
    """The error's message, or what interrupted the call."""
    hint: str = ""
    note: str = ""
    effect: str = ""
    url: str = ""
    title: str = ""
    steps: tuple[str, ...] = ()
    """What Tabwarden did to free a page that hung."""
    result: Any = None
    """What the call returned, with secrets, shortened if it is large: see ``redacted_result``. The
    journal drops it from old entries to save memory."""
    typed_plain: set[str] = msgspec.field(default_factory=set)
    """The texts that went into fields of which the page said that they are not secret."""
    typed_secrets: set[str] = msgspec.field(default_factory=set)
    """The texts that went into password fields and the like."""
    secrets: Secrets = msgspec.field(default_factory=Secrets)
    """The task's secrets."""

    @property
    def took_ms(self) -> float | None:
        return None if self.ended is None else (self.ended - self.began) * 1000

    def redacted_arguments(self) -> dict[str, Any]:
        """Return the arguments in JSON's types, with secrets replaced by "(secret)". While a text
        is being typed, it is hidden until the page has said that its field is not secret."""
        return redacted_arguments(self)

    def redacted_result(self) -> Any:
        """Return the main part of the result in JSON's types, without secrets; None if there is
        none, or if the journal has dropped it."""
        return redacted_result(self)


running: ContextVar[Entry | None] = ContextVar("running", default=None)
"""The call that runs in this context. A coroutine on the engine has its caller's context."""


def current_call() -> Entry | None:
    """Return the call that runs in this context."""
    return running.get()


def set_on_current_call(**facts: Any) -> None:
    """Set fields of the call that runs in this context, if one does."""
    entry = running.get()
    if entry is not None:
        for name, value in facts.items():
            setattr(entry, name, value)


def typed(text: str, *, is_secret: bool) -> None:
    """Tell the running call whether the field that gets ``text`` is secret."""
    entry = running.get()
    if entry is not None:
        (entry.typed_secrets if is_secret else entry.typed_plain).add(text)
        if is_secret:
            entry.secrets.add((text,))
