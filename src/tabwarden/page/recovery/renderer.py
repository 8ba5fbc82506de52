"""Move a tab or a frame to another renderer if its own renderer does not respond.

The browser process itself handles a navigation to ``about:blank``. Full Chromium then puts the tab
in a new renderer, and the tab keeps its target, history and session storage. Then Tabwarden loads
the page's URL again; going back in the history could restore the hung page from the back-forward
cache. If the navigation to ``about:blank`` does not work (in headless shells, or if a
``beforeunload`` handler is running native code), the tab gets a new target.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.recovery import timing
from tabwarden.page.recovery.probe import stop_scripts
from tabwarden.protocol import (
    Command,
    decode_result,
    dom,
    emulation,
    encode_params,
    page,
    runtime,
)
from tabwarden.supervisor.core.state.inputs import SetScripts
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor, Race

_SLOW = 40.0
"""A renderer may take this many times longer to reply than the browser process."""


async def renew_tab(supervisor: CDPSupervisor, tab_id: str, *, back: bool = True) -> bool:
    """Load a tab's page again in another renderer. Return False if the tab could not leave its old
    renderer.

    Args:
        supervisor, tab_id: the supervisor, and the tab.
        back: whether to load the page again; if False, the tab stays on the empty page.
    """
    tab = supervisor.state.tabs.get(tab_id)
    if tab is None:
        return False
    asked_at = time.monotonic()
    await call_within(supervisor, page.GetNavigationHistory(), tab.session_id)
    # The browser process itself replies to this command, so a slow reply means a slow computer.
    within_s = slowed_s(timing.BLANK_S, time.monotonic() - asked_at)
    if not await via_blank(supervisor, tab_id, within_s):
        return False
    if not back:
        return True
    blank = supervisor.state.document_in(tab_id)
    supervisor.send(page.Navigate(url=tab.url), tab.session_id)

    def is_loaded(state: SupervisorState) -> bool:
        return state.document_in(tab_id) != blank and is_parsed(state, tab_id)

    # If the server is slow, the page appears later, but the tab is already usable.
    await until(supervisor, is_loaded, timing.BACK_S)
    return True


def slowed_s(at_rest_s: float, took_s: float) -> float:
    """Return how long a renderer may take if the browser process took ``took_s`` to reply."""
    return min(timing.SLOWEST_BLANK_S, max(at_rest_s, took_s * _SLOW))


async def via_blank(
    supervisor: CDPSupervisor, tab_id: str, within_s: float = timing.BLANK_S
) -> bool:
    """Move a tab from its page to ``about:blank``, and enable its scripts there. Return False if
    the navigation took too long, or if the tab got another target meanwhile."""
    tab = supervisor.state.tabs[tab_id]
    before = supervisor.state.document_in(tab_id)
    supervisor.send(page.Navigate(url="about:blank"), tab.session_id)

    def is_replaced(state: SupervisorState) -> bool:
        now = state.tabs.get(tab_id)
        return now is None or now.target_id != tab.target_id

    def has_left(state: SupervisorState) -> bool:
        top = state.top_frame(tab_id)
        if top is None or is_replaced(state):
            return is_replaced(state)
        # Accept only ``about:blank``: the page itself may be navigating to another URL.
        return top.url == "about:blank" and top.loader_id != before and top.is_parsed

    remaining_s = within_s
    while not await until(supervisor, has_left, min(timing.BLANK_S, remaining_s)):
        remaining_s -= timing.BLANK_S
        if remaining_s <= 0:
            supervisor.send(page.StopLoading(), tab.session_id)
            return False
        # Between two documents, even disabled scripts run for a moment (measured on a slow
        # computer). A script that starts then blocks the renderer, but it can now be stopped.
        stop_scripts(supervisor, [tab.session_id] if tab.session_id else [])
    if is_replaced(supervisor.state):
        return False
    supervisor.feed(SetScripts(tab_id, on=True))
    # Send this command even if the state says that scripts are enabled. Commands that were sent
    # while the old renderer was blocked or being replaced may not have reached the new renderer.
    supervisor.send(emulation.SetScriptExecutionDisabled(value=False), tab.session_id)
    return True


async def renew_frame(supervisor: CDPSupervisor, session_id: str) -> bool:
    """Move a frame to another renderer, if its parent responds. The frame loses its history.

    The parent document navigates the frame to an empty page, which then runs in the parent's
    process. If the browser navigated the frame, the empty page would run in the hung process.
    """
    session = supervisor.state.sessions.get(session_id)
    frame = supervisor.state.frames.get(session.target_id) if session is not None else None
    parent = supervisor.state.frames.get((frame and frame.parent_frame_id) or "")
    if frame is None or parent is None:
        return False
    outer = parent.session_id
    owner = await call_within(supervisor, dom.GetFrameOwner(frame_id=frame.frame_id), outer)
    if owner is None:
        return False
    node = dom.ResolveNode(backend_node_id=owner.backend_node_id)
    element = await call_within(supervisor, node, outer)
    if element is None:
        return False
    leave = runtime.CallFunctionOn(
        function_declaration="function () { this.contentWindow.location.replace('about:blank'); }",
        object_id=element.object.object_id,
    )
    if await call_within(supervisor, leave, outer) is None:
        return False

    def has_left(state: SupervisorState) -> bool:
        now = state.frames.get(frame.frame_id)
        return now is not None and now.session_id == outer and now.loader_id != ""

    if not await until(supervisor, has_left, timing.BLANK_S):
        return False
    back = page.Navigate(url=frame.url, frame_id=frame.frame_id)
    return await call_within(supervisor, back, outer, timing.BACK_S) is not None


async def call_within(
    supervisor: CDPSupervisor,
    command: Command[Any],
    session_id: str | None,
    within_s: float = timing.CALL_S,
) -> Any:
    """Return a command's result, or None if the browser refused the command or did not reply in
    time."""
    call = supervisor.connection.call(command.METHOD, encode_params(command), session_id)
    try:
        reply = await asyncio.wait_for(call, within_s)
    except TimeoutError:
        return None
    try:
        return None if reply.result is None else decode_result(type(command), reply.result)
    except msgspec.DecodeError:
        return None


async def until(supervisor: CDPSupervisor, condition: Any, within_s: float) -> bool:
    """Wait until ``condition(state)`` is true. Return False on a timeout or if the
    browser has disconnected."""
    try:
        with Race(supervisor, Budget(within_s * 1000 * supervisor.hang_patience)) as race:
            return await race.until(condition)
    except TabwardenError:
        return False


def is_parsed(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab's current document is parsed, so that it can be read."""
    top = state.top_frame(tab_id)
    return top is None or top.is_parsed
