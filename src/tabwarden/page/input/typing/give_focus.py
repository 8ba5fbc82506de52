"""Focus any element, as the Tab key does, or explain why it can't get the focus."""

from __future__ import annotations

from typing import Any

from tabwarden.page.call import bring_to_front, settle
from tabwarden.page.elements import ElementGone, element_of, healing
from tabwarden.page.input.typing.focusing import no_focus_error
from tabwarden.page.task import Call, Done, OneRef, Ref, card, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext


@card(
    "focus",
    about="Focus an element without a click.",
    permission="act",
    group="pages",
    destructive=False,
    idempotent=True,
    uses_input=True,
    awaits_requests=False,
)
async def focus(
    call: Call,
    ref: OneRef,
) -> Done:
    """Focus an element without a click.

    Args:
        ref: the element, from a snapshot.

    Raises:
        NotInteractable, Obscured: the element can't get the focus. The error gives the reason.
        StaleRef, UnknownRef, DialogPending: as for ``click``.
    """
    bring_to_front(call)
    target = await element_of(call, ref)
    try:
        await healing(call, target, lambda *of: _try_focus(call, *of))
    except WorldGone as error:
        raise stale(target, "its document was replaced while it got the focus") from error
    return Done(note=await settle(call))


async def _try_focus(call: Call, ref: Ref, world: ExecutionContext) -> None:
    outcome: dict[str, Any] = await call_walker(call.race, world, "giveFocus", ref.local_id)
    if outcome["reason"] == "gone":
        raise ElementGone
    if outcome["reason"]:
        hint = "Take a new snapshot and focus a control that it lists."
        raise no_focus_error(call.task, world, ref, outcome, how="focused", hint=hint)
