"""Set a checkbox, a switch or a radio button, and verify its state."""

from __future__ import annotations

from typing import Any

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef
from tabwarden.hints import Hint, Next, joined
from tabwarden.page.call import settle
from tabwarden.page.elements import ElementGone, healing
from tabwarden.page.input.forms.labelled import field_of
from tabwarden.page.input.pointing import click
from tabwarden.page.task import Call, Done, OneRef, Ref, card, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.results import CheckedState
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import Race

_CHECKED_MS = 300
"""How long a checkbox may take to show its new state."""


async def _set_state(call: Call, target: str, *, state: bool) -> Done:
    """Check or uncheck a control if needed. The value is ``{"checked", "changed"}``.

    Args:
        call: the running call.
        target: a ref, a selector or the control's label.
        state: True to check it.

    Raises:
        InvalidArgument: the control is a radio button, which can't be unchecked.
        NotInteractable: the control can't be checked, or its state did not change.
    """
    ref = await field_of(call, target, field="ref")
    try:
        ref, control = await healing(call, ref, lambda *of: control_of(call.race, *of))
    except WorldGone as error:
        raise stale(ref, "its document was replaced during the action") from error
    if control["kind"] not in ("checked", "radio"):
        raise NotInteractable(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is not a checkbox, switch or radio button.",
            Hint("Click it instead", Next("click", ref=ref.ref), "."),
            ref=ref.ref,
            reason="not_checkable",
        )
    if control["kind"] == "radio" and not state:
        raise InvalidArgument(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is a radio button, which can't be "
            "unchecked.",
            "Check another radio button in the same group.",
            field="ref",
        )
    changed = await set_checked(call, ref, control, state=state)
    return Done({"checked": state, "changed": changed}, await settle(call) if changed else "")


async def set_checked(call: Call, ref: Ref, control: dict[str, Any], *, state: bool) -> bool:
    """Click the control if its state is wrong, and verify the new state.

    Return whether the state was wrong. Click twice if needed, because the first click on a partly
    checked control may check the control.
    """
    if control["checked"] is state:
        return False
    for _ in range(2 if control["checked"] == "mixed" else 1):
        await click(call, ref=ref.ref)
        if await _has_become(call, ref, state=state):
            return True
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) did not become "
        f"{'checked' if state else 'unchecked'}.",
        "The page may not allow the change. Take a snapshot to see the control's state.",
        ref=ref.ref,
    )


async def control_of(race: Race, ref: Ref, world: ExecutionContext) -> dict[str, Any]:
    """Return the ``kind`` of a form control and whether the control is ``checked``."""
    control: dict[str, Any] = await call_walker(race, world, "control", ref.local_id)
    if control["kind"] == "gone":
        raise ElementGone
    return control


async def _has_become(call: Call, ref: Ref, *, state: bool) -> bool:
    """Whether the control now has the state, even if the page has re-rendered the control."""

    async def is_so(ref: Ref, world: ExecutionContext) -> bool:
        has_state: bool | None = await call_walker(
            call.race, world, "checkedAs", ref.local_id, state, _CHECKED_MS
        )
        if has_state is None:
            raise ElementGone
        return has_state

    try:
        _, has_changed = await healing(call, ref, is_so)
    except WorldGone as error:
        raise stale(ref, "the page navigated during the click") from error
    except StaleRef as error:
        error.hint = joined("The control was clicked.", error.hint)
        raise
    return bool(has_changed)


@card(
    "check",
    about="Check a checkbox, switch or radio button, unless it is already checked.",
    permission="act",
    group="pages",
    idempotent=True,
    gives=CheckedState,
    uses_input=True,
    confirms=True,
)
async def check(call: Call, ref: OneRef) -> Done:
    """Check a checkbox, switch or radio button, unless it is already checked. ``value`` is
    ``{"checked", "changed"}``.

    Args:
        ref: the control, from a snapshot, or its label.

    Raises:
        NotInteractable: it can't be checked, or the page did not allow it.
        StaleRef, UnknownRef, Obscured, DialogPending: as for ``click``.
    """
    return await _set_state(call, ref, state=True)


@card(
    "uncheck",
    about="Uncheck a checkbox or switch, unless it is already unchecked.",
    permission="act",
    group="pages",
    idempotent=True,
    gives=CheckedState,
    uses_input=True,
    confirms=True,
)
async def uncheck(call: Call, ref: OneRef) -> Done:
    """Uncheck a checkbox or switch, unless it is already unchecked. ``value`` is as for
    ``check``.

    Args:
        ref: the control, from a snapshot, or its label.

    Raises:
        InvalidArgument: it is a radio button.
        NotInteractable, StaleRef, UnknownRef, Obscured, DialogPending: as for ``check``.
    """
    return await _set_state(call, ref, state=False)
