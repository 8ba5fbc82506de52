"""Wait until one element is visible, hidden, gone, enabled or disabled, or contains some text."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from tabwarden.errors import InvalidArgument, StaleRef
from tabwarden.page.elements import ElementGone, element_of, healing
from tabwarden.page.navigation.timing import FRAME_WAIT_MS, SILENT_S
from tabwarden.page.navigation.watch import replaced
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext

State = Literal["visible", "hidden", "gone", "enabled", "disabled"]
_WITHOUT_IT = ("hidden", "gone")
"""The states that an element has once it is no longer in the page."""


async def element_is(call: Call, named: str, state: State | None, text: str | None) -> str | None:
    """Wait until an element has a state and contains a text, ignoring case and white space. If the
    page re-renders the element, continue with the new element.

    Args:
        named: a ref, or a selector (``css=...``) that matches one element.
        state, text: the state and text to wait for; None for any.

    Returns:
        The element's ref, or None if the element is gone.

    Raises:
        StaleRef: the element is gone, and ``state`` is neither hidden nor gone.
        UnknownRef, InvalidArgument: there is no such element.
    """

    async def look(ref: Ref, world: ExecutionContext) -> bool:
        return await _look(call, ref, world, state, text)

    try:
        ref = await element_of(call, named, hidden=True)
        while True:
            ref, has_state = await healing(call, ref, look)
            if has_state:
                return ref.ref
    except StaleRef:
        if state not in _WITHOUT_IT:
            raise
    except InvalidArgument as error:
        if state not in _WITHOUT_IT or error.data.get("candidates") != []:
            raise
    return None


async def _look(
    call: Call, ref: Ref, world: ExecutionContext, state: State | None, text: str | None
) -> bool:
    """Watch the element for a while. Raise ``ElementGone`` if the element is not in its
    document."""
    try:
        async with asyncio.timeout(SILENT_S):
            reply: Any = await call_walker(
                call.race, world, "elementAwaited", ref.local_id, state, text, FRAME_WAIT_MS
            )
    except TimeoutError:
        return False
    except WorldGone:
        await replaced(call.race, ref.frame_id, world)
        return False
    if reply is not None and "gone" in reply:
        raise ElementGone
    return reply is not None
