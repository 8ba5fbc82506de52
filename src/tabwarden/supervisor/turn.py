"""One turn of the machine: the state on its way to the next, commands and notices gathered.

A ``Turn`` lives for one step only; what leaves it is frozen. Handlers read top-down with it,
where threading three return values through each would hide what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from tabwarden.protocol import Command
from tabwarden.supervisor.notices import Notice
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.values import frozen, replace

__all__ = ["Ask", "Now", "Send", "Step", "Turn"]

V = TypeVar("V")


class Now(NamedTuple):
    """The clocks at the moment of an input."""

    monotonic: float
    """For deadlines."""
    wall: float
    """For people: seconds since the epoch."""


class Ask(msgspec.Struct, frozen=True):
    """Why a command was sent, so that its reply finds its handler. Subclassed beside them."""

    replaces: ClassVar[bool] = False
    """Whether it takes the place of an equal one that has no reply yet, and may never have one."""


class Send(NamedTuple):
    """A command to send; its reply comes back as an input when ``ask`` is set."""

    command: Command[Any]
    session_id: str | None
    ask: Ask | None = None
    guarded_target: str | None = None
    """Not on a session of ours, but by the guard, to this page (``guard.py``)."""


class Step(NamedTuple):
    """What one input led to."""

    state: SupervisorState
    commands: tuple[Send, ...]
    notices: tuple[Notice, ...]


class Turn:
    """The mutable workbench of a single step."""

    __slots__ = ("_commands", "_notices", "now", "state")

    def __init__(self, state: SupervisorState, now: Now) -> None:
        self.state = state
        self.now = now
        self._commands: list[Send] = []
        self._notices: list[Notice] = []

    def change(self, **fields: Any) -> None:
        """Replace fields of the state."""
        self.state = replace(self.state, **fields)

    def put(self, field: str, key: str, value: Any) -> None:
        """Set one entry of one of the state's mappings."""
        mapping: Mapping[str, Any] = getattr(self.state, field)
        self.change(**{field: frozen({**mapping, key: value})})

    def drop(self, field: str, *keys: str) -> None:
        """Remove entries of one of the state's mappings; absent ones are no matter."""
        mapping: Mapping[str, Any] = getattr(self.state, field)
        gone = set(keys) & mapping.keys()
        if gone:
            self.change(**{field: frozen({k: v for k, v in mapping.items() if k not in gone})})

    def send(self, command: Command[Any], session_id: str | None, ask: Ask | None = None) -> None:
        """Queue a command."""
        self._commands.append(Send(command, session_id, ask))

    def send_by_guard(self, command: Command[Any], target_id: str, ask: Ask) -> None:
        """Queue a command for the guard's connection."""
        self._commands.append(Send(command, None, ask, target_id))

    def notify(self, notice: Notice) -> None:
        """Tell the world."""
        self._notices.append(notice)

    def end(self) -> Step:
        """What came of it."""
        return Step(self.state, tuple(self._commands), tuple(self._notices))
