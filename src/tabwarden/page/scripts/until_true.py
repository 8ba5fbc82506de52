"""Wait until a script in a page returns a true value.

The page itself checks the script repeatedly (``carry.js``), for at most ``LOOK_MS`` per request, so
that the loop ends soon after the call. If the document is replaced, the check continues in the new
document.
"""

from __future__ import annotations

import asyncio

from tabwarden.errors import InvalidArgument
from tabwarden.page.scripts.evaluate import LEFT, nothing_ran, where_of, why_cut_short
from tabwarden.page.scripts.script import (
    RETURNS,
    Where,
    as_function,
    command_of,
    is_function,
    running,
)
from tabwarden.page.scripts.timing import LOOK_MS, REPLACED_MS, SILENT_S
from tabwarden.page.task import Call, Done, did_not_parse, read
from tabwarden.protocol import runtime
from tabwarden.supervisor.runtime import CommandRefused


async def until_true(call: Call, script: str, frame_id: str | None) -> Done:
    """Wait until a script's value is true. Return the ``value`` and the ``frame_id`` of the frame.

    Args:
        script: an expression, a function, or statements with ``return``. Promises are awaited.
        frame_id: the frame to run in; None for the main frame.

    Raises:
        JsError: the script threw.
        FrameNotFound: the frame does not exist or is gone.
        InvalidArgument: statements return nothing.
        Cancelled: a rescue for another call on this tab stopped the script.
    """
    looks: set[asyncio.Task[Done | None]] = set()
    try:
        while True:
            # If a frame's timers were frozen, earlier checks never return.
            looks.add(asyncio.create_task(_look(call, script, frame_id)))
            done, looks = await asyncio.wait(
                looks, timeout=SILENT_S, return_when=asyncio.FIRST_COMPLETED
            )
            for look in done:
                if (result := look.result()) is not None:
                    return result
    finally:
        for look in looks:
            look.cancel()
        await asyncio.gather(*looks, return_exceptions=True)


async def _look(call: Call, script: str, frame_id: str | None) -> Done | None:
    """Check the script for ``LOOK_MS``. Return None if its value did not become true in that
    time."""
    wanted = frame_id or call.state.top_frame_id(call.tab.tab_id) or ""
    before = call.state.contexts.get(wanted)
    try:
        where = await where_of(call, wanted, "main")
        done = await _run(call, where, script)
        return done.value and Done({"frame_id": wanted, **done.value}, done.note)
    except CommandRefused as refused:
        if not nothing_ran(call.task, refused) and not LEFT.search(refused.error.message):
            raise why_cut_short(call.task, call.tab, frame_id, refused) from None
        await call.race.until(
            lambda state: state.contexts.get(wanted) is not before, at_most_ms=REPLACED_MS
        )
        return None


async def _run(call: Call, where: Where, script: str) -> Done:
    source = as_function(script) if is_function(script) else script.rstrip("; \t\r\n")
    called = "()" * is_function(script)
    done = await _looked(call, where, f"async () => (\n{source}\n){called}")
    if did_not_parse(done):
        done = await _looked(call, where, f"async () => {{\n{script}\n}}")
        if not RETURNS.search(script) and not did_not_parse(done):
            raise InvalidArgument(
                "The script's statements return nothing, so the script can never become true.",
                "Return a value, or give an expression.",
                field="script",
            )
    return read(call.race, where.session_id, done)


async def _looked(call: Call, where: Where, check: str) -> runtime.CallFunctionOnResult:
    serializer = await call.task.serializers.of(call.race, where.session_id, where.unique_id)
    command = command_of(
        f"$carry.until({check}, ...$given)",
        [runtime.CallArgument(value=LOOK_MS)],
        where.unique_id,
        serializer,
        of_ref=False,
        user_gesture=False,
    )
    with running(call, where.session_id):
        return await call.race.call(command, where.session_id)
