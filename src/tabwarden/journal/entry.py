"""``Entry``: one of an agent's calls, from start to end."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Literal

import msgspec

from tabwarden.journal.redaction import redacted_arguments, redacted_result
from tabwarden.journal.secrets import Secrets

Status = Literal["running", "ok", "interrupted", "stopped", "failed", "cancelled"]


class Entry(msgspec.Struct, kw_only=True, eq=False):
    """One call. The fields below ``ended`` are complete once ``ended`` is set.

    The engine sets ``tab_id``, ``element`` and ``point`` while the call is running.
    """

    number: int
    """The call's number; the task's calls are counted from 1."""
    action: str
    """The method's name (``click``)."""
    arguments: dict[str, Any]
    """The caller's arguments by name, including secrets; see ``redacted_arguments``."""
    began: float
    """Seconds since 1970."""
    by: str = ""
    """The name of the person who made the call; "" for the agent."""
    parent: int | None = None
    """The number of the call (a batch) that made this call."""
    tab_id: str | None = None
    element: dict[str, Any] | None = None
    """The element that the call acted on, as ``{"ref", "role", "name"}``."""
    locators: list[dict[str, Any]] = []
    """How to find the call's elements again, if a recording needs this information: ``{"named",
    "role", "name", "frames", "candidates"}`` for each element in the call's arguments
    (``page/elements``).
    """
    text_appeared: str = ""
    """Text that appeared after the call, if a recording needs this information."""
    point: tuple[float, float] | None = None
    """The click position, in CSS pixels of the tab's viewport."""
    points: list[tuple[float, float]] = []
    """For a call with points in a screenshot: the matching points in the viewport, in order."""
    ended: float | None = None
    status: Status = "running"
    code: str = ""
    """The error's code."""
    message: str = ""
    """The error's message, or the cause of the interruption."""
    hint: str = ""
    note: str = ""
    effect: str = ""
    url: str = ""
    title: str = ""
    steps: tuple[str, ...] = ()
    """The recovery steps that Tabwarden took to free a hung page."""
    result: Any = None
    """The call's result, including secrets, shortened if it is large; see ``redacted_result``. To
    save memory, the journal drops the results of old entries.
    """
    typed_plain: set[str] = msgspec.field(default_factory=set)
    """The texts that were entered into fields that are not secret, according to the page."""
    typed_secrets: set[str] = msgspec.field(default_factory=set)
    """The texts that were entered into password fields and other secret fields."""
    secrets: Secrets = msgspec.field(default_factory=Secrets)
    """The task's secrets."""

    @property
    def took_ms(self) -> float | None:
        return None if self.ended is None else (self.ended - self.began) * 1000

    def redacted_arguments(self) -> dict[str, Any]:
        """Return the arguments as JSON types, with secrets replaced by "(secret)". Typed text is
        masked until the page has reported that its field is not secret.
        """
        return redacted_arguments(self)

    def redacted_result(self) -> Any:
        """Return the main part of the result as JSON types, without secrets; None if there is no
        result, or if the journal has dropped it.
        """
        return redacted_result(self)


running: ContextVar[Entry | None] = ContextVar("running", default=None)
"""The call that is running in this context. A coroutine on the engine runs in its caller's
context.
"""


def current_call() -> Entry | None:
    """Return the call that is running in this context; None if there is none."""
    return running.get()


def set_on_current_call(**facts: Any) -> None:
    """Set fields of the call that is running in this context, if there is one."""
    entry = running.get()
    if entry is not None:
        for name, value in facts.items():
            setattr(entry, name, value)


def typed(text: str, *, is_secret: bool) -> None:
    """Record in the running call whether the field that receives ``text`` is secret."""
    entry = running.get()
    if entry is not None:
        (entry.typed_secrets if is_secret else entry.typed_plain).add(text)
        if is_secret:
            entry.secrets.add((text,))
