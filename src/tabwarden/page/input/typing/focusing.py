"""Focus a field, or explain why the field can't get the focus.

The focused element receives typed text. If the page moves the focus to another field, a note tells
the caller. If the field can't get the focus (it is disabled or behind a dialog), Tabwarden types
nothing.
"""

from __future__ import annotations

import time
from typing import Any

from tabwarden.errors import NotInteractable, TabwardenError
from tabwarden.page.elements import ElementGone, aim, obscured_error, wait_for_obstacle
from tabwarden.page.task import Call, Ref, Task
from tabwarden.page.walker import call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext

_TAKEN_BACK_MS = 50
"""How long we wait for a dialog with a focus trap to take the focus back."""
_COVERED_AGAIN_S = 2
"""How long to keep trying to focus a field whose cover disappears and reappears."""
_WHY = {
    "disabled": "it is disabled",
    "read_only": "it is read-only",
    "hidden": "it is hidden",
    "inert": "it is inert",
    "no_text": "it does not accept text",
    "no_focus": "it can't be focused",
}
_HINTS = {
    "read_only": "The field may open a calendar or a list. Click it, take a snapshot, and choose "
    "there.",
}


async def focus(
    call: Call,
    world: ExecutionContext,
    ref: Ref,
    *,
    select: bool,
    length: int,
) -> dict[str, Any]:
    """Focus a field before typing ``length`` characters. Wait if the field is currently disabled,
    hidden or covered.

    Raises:
        ElementGone: the field is no longer in the page.
        NotInteractable: the field does not accept text or can't get the focus.
        Obscured: a dialog or another element keeps the field from getting the focus.
    """
    deadline = time.monotonic() + _COVERED_AGAIN_S
    options = {"select": select, "length": length}
    outcome = await _try_focus(call, world, ref, options)
    while outcome.get("reason") == "obscured" and time.monotonic() < deadline:
        await aim(call, ref)  # wait until the cover disappears; a list may close and open again
        outcome = await _try_focus(call, world, ref, options)
    if outcome.get("reason") == "gone":
        raise ElementGone
    if not outcome["kind"]:
        hint = _HINTS.get(outcome["reason"], "Use the ref of a text field.")
        raise no_focus_error(call.task, world, ref, outcome, how="typed into", hint=hint)
    return outcome


async def _try_focus(
    call: Call, world: ExecutionContext, ref: Ref, options: dict[str, Any]
) -> dict[str, Any]:
    outcome: dict[str, Any] = await call_walker(call.race, world, "focus", ref.local_id, options)
    if "obstacle" in outcome:
        outcome = await wait_for_obstacle(
            call.race, world, outcome, "focusLater", ref.local_id, options
        )
    if outcome.get("isUnsure"):
        outcome = (
            await call_walker(call.race, world, "focusLost", ref.local_id, _TAKEN_BACK_MS)
            or outcome
        )
    return outcome


def name_element(task: Task, world: ExecutionContext, tab_id: str, element: dict[str, Any]) -> str:
    """Assign a ref to the focused element, and return a description of the element."""
    role, name = element["role"] or "generic", element["name"]
    ref = task.refs.assign(
        world.unique_id,
        element["id"],
        role=role,
        name=name,
        tab_id=tab_id,
        frame_id=world.frame_id,
    )
    return f"{ref} ({role} {name[:60]!r})"


def no_focus_error(
    task: Task, world: ExecutionContext, ref: Ref, outcome: dict[str, Any], *, how: str, hint: str
) -> TabwardenError:
    """Return the error for an element that can't be focused or typed into. ``how`` says which."""
    reason, holder = outcome["reason"], outcome.get("elsewhere")
    if reason == "obscured":
        return obscured_error(
            task, ref, world, outcome["by"], problem="can't get the focus because of"
        )
    has_it = f" {name_element(task, world, ref.tab_id, holder)} has the focus." if holder else ""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) can't be {how}: {_WHY[reason]}.",
        f"{hint}{has_it}",
        ref=ref.ref,
        reason=reason,
    )
