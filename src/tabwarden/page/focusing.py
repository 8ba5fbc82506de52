"""Focusing: the field that was named gets the focus, or the error says what keeps it from it.

What is typed goes where the focus is. So a page that gives it on to another field is told of, and
where a field can't get it (behind a dialog, switched off) nothing is typed at all.
"""

from __future__ import annotations

from typing import Any

from tabwarden.errors import NotInteractable, TabwardenError
from tabwarden.page.aim import obscured
from tabwarden.page.heal import Gone
from tabwarden.page.refs import Ref
from tabwarden.page.task import Task
from tabwarden.page.worlds import call
from tabwarden.supervisor import ExecutionContext, Race

__all__ = ["focus", "named"]

_TAKEN_BACK_MS = 50
"""A dialog that keeps the focus may take it back so much later."""


async def focus(
    task: Task, race: Race, world: ExecutionContext, ref: Ref, *, select: bool, length: int
) -> dict[str, Any]:
    """Focus a field for a text of some length; how that gets in, as ``js/fields.js`` says it.

    Raises:
        Gone: it is no longer in the page.
        NotInteractable: it takes no text, or does not get the focus.
        Obscured: a dialog, or something else that is in the way, keeps the focus from it.
    """
    how = {"select": select, "length": length}
    found: dict[str, Any] = await call(race, world, "focus", ref.local_id, how)
    if found.get("isUnsure"):
        found = await call(race, world, "focusLost", ref.local_id, _TAKEN_BACK_MS) or found
    if found.get("reason") == "gone":
        raise Gone
    if not found["kind"]:
        raise _refused(task, world, ref, found)
    return found


def named(task: Task, world: ExecutionContext, tab_id: str, found: dict[str, Any]) -> str:
    """An element that has the focus instead, in words, with a ref."""
    role, name = found["role"] or "generic", found["name"]
    ref = task.refs.assign(
        world.unique_id,
        found["id"],
        role=role,
        name=name,
        tab_id=tab_id,
        frame_id=world.frame_id,
    )
    return f"{ref} ({role} {name[:60]!r})"


def _refused(
    task: Task, world: ExecutionContext, ref: Ref, found: dict[str, Any]
) -> TabwardenError:
    if found["reason"] == "obscured":
        return obscured(task, ref, world, found["by"], how="can't get the focus: in the way is")
    elsewhere = found.get("elsewhere")
    has_it = f" {named(task, world, ref.tab_id, elsewhere)} has it." if elsewhere else ""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) can't be typed into: {found['reason']}.",
        f"Use a ref of a text field.{has_it}",
        ref=ref.ref,
        reason=found.get("code", found["reason"]),
    )
