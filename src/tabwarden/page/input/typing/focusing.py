"""Focusing: give the focus to the named field, or explain why the field can't get the focus.

Typed text goes to the focused element. If the page moves the focus to another field, Tabwarden
tells the caller. If the field can't get the focus (it is disabled or behind a dialog), Tabwarden
types nothing.
"""

from __future__ import annotations

import time
from typing import Any

from tabwarden.errors import NotInteractable, TabwardenError
from tabwarden.page.elements import Gone, aim, obscured, passed
from tabwarden.page.task import Call, Ref, Task
from tabwarden.page.walker import call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext

_TAKEN_BACK_MS = 50
"""For this long after we set the focus, a dialog with a focus trap may take it back."""
_COVERED_AGAIN_S = 2
"""How long to try again to focus a field whose cover goes away and comes back."""
WHY = {
    "disabled": "it is disabled",
    "read_only": "it is read-only",
    "hidden": "it is hidden",
    "inert": "it is inert",
    "no_text": "it takes no text",
    "no_focus": "it does not get the focus",
}
_INSTEAD = {
    "read_only": "It may open a calendar or a list: click it, take a snapshot, and choose there.",
}


async def focus(
    call: Call,
    world: ExecutionContext,
    ref: Ref,
    *,
    select: bool,
    length: int,
) -> dict[str, Any]:
    """Focus a field before typing ``length`` characters. Wait for a field that is disabled, hidden
    or covered now.

    Raises:
        Gone: the field is no longer in the page.
        NotInteractable: the field does not accept text or can't get the focus.
        Obscured: a dialog or another element keeps the field from getting the focus.
    """
    until = time.monotonic() + _COVERED_AGAIN_S
    how = {"select": select, "length": length}
    found = await _focused(call, world, ref, how)
    while found.get("reason") == "obscured" and time.monotonic() < until:
        await aim(call, ref)  # waits for a cover that goes away; a list may open again as it closes
        found = await _focused(call, world, ref, how)
    if found.get("reason") == "gone":
        raise Gone
    if not found["kind"]:
        raise _refused(call.task, world, ref, found)
    return found


async def _focused(
    call: Call, world: ExecutionContext, ref: Ref, how: dict[str, Any]
) -> dict[str, Any]:
    found: dict[str, Any] = await call_walker(call.race, world, "focus", ref.local_id, how)
    if "obstacle" in found:
        found = await passed(call.race, world, found, "focusLater", ref.local_id, how)
    if found.get("isUnsure"):
        found = (
            await call_walker(call.race, world, "focusLost", ref.local_id, _TAKEN_BACK_MS) or found
        )
    return found


def named(task: Task, world: ExecutionContext, tab_id: str, found: dict[str, Any]) -> str:
    """Assign a ref to the element that has the focus instead, and describe it."""
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
        return obscured(task, ref, world, found["by"], how="can't get the focus because of")
    elsewhere = found.get("elsewhere")
    has_it = f" {named(task, world, ref.tab_id, elsewhere)} has the focus." if elsewhere else ""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) can't be typed into: {WHY[found['reason']]}.",
        f"{_INSTEAD.get(found['reason'], 'Use a ref of a text field.')}{has_it}",
        ref=ref.ref,
        reason=found["reason"],
    )
