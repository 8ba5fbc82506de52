"""Replacement: a new browser for a task whose browser was lost, or that moved to another
machine.
"""

from __future__ import annotations

import msgspec

__all__ = ["Replacement"]


class Replacement(msgspec.Struct, frozen=True):
    """A new browser for a task whose browser was lost, or that moved to another machine.

    Attributes:
        reason: what happened to the previous browser, as a clause: "the node n2 was lost".
        node: where the new browser runs.
        generation: the new lease's number, which is greater than the previous lease's number.
        previous_node: where the previous browser ran.
        planned: whether the move was planned: the task moved while it was idle.
    """

    reason: str
    node: str
    generation: int
    previous_node: str
    planned: bool = False
