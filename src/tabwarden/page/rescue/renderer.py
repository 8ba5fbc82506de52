"""Renew: another renderer for a tab, or a frame, whose own can't be made to answer.

A navigation to ``about:blank`` is served by the browser process: full Chromium puts the tab in
a fresh renderer, and it keeps its target, its history and its session storage. The page is then
loaded anew by its URL: going back to its entry would bring back the page that hangs, out of the
back-forward cache. Where the navigation is not served like that (headless shells, a
``beforeunload`` handler in native code), the tab gets another target.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.rescue.probe import stop_scripts
from tabwarden.protocol import (
    Command,
    decode_result,
    dom,
    emulation,
    encode_params,
    page,
    runtime,
    system_info,
)
from tabwarden.supervisor import CDPSupervisor, Race, SetScripts, SupervisorState

__all__ = [
    "busier",
    "called",
    "end_process",
    "is_parsed",
    "kill_renderer",
    "processor_seconds",
    "renew_frame",
    "renew_tab",
    "slowed_ms",
    "until",
    "via_blank",
]

_CALL_MS = 150.0
_BLANK_MS = 250.0
_SLOW = 40.0
_SLOWEST_MS = 2_000.0
_BACK_MS = 250.0
_PROCESSES_MS = 1_500.0
"""A renderer may keep the browser process busy too."""
_BUSY_SHARE = 0.5
"""Of a processor: what a renderer that hangs in native code takes at least."""
_SAMPLE_S = 0.1


async def renew_tab(supervisor: CDPSupervisor, tab_id: str, *, back: bool = True) -> bool:
    """Load a tab's page again in another renderer; False when the tab did not leave the old one.

    Args:
        supervisor, tab_id: which.
        back: false: it stays on the empty page.
    """
    tab = supervisor.state.tabs.get(tab_id)
    if tab is None:
        return False
    asked_at = time.monotonic()
    await called(supervisor, page.GetNavigationHistory(), tab.session_id)
    took_ms = (time.monotonic() - asked_at) * 1000
    # The browser process answers this by itself: where it is slow to, all of it is.
    within_ms = slowed_ms(_BLANK_MS, took_ms)
    if not await via_blank(supervisor, tab_id, within_ms):
        return False
    if not back:
        return True
    blank = supervisor.state.document_in(tab_id)
    supervisor.send(page.Navigate(url=tab.url), tab.session_id)

    def loaded(state: SupervisorState) -> bool:
        return state.document_in(tab_id) != blank and is_parsed(state, tab_id)

    # Where the server is slow the page comes later: the tab itself is as good as new.
    await until(supervisor, loaded, _BACK_MS)
    return True


def slowed_ms(at_rest_ms: float, took_ms: float) -> float:
    """How long a renderer may take, where the browser process itself took so long to answer."""
    return min(_SLOWEST_MS, max(at_rest_ms, took_ms * _SLOW))


async def via_blank(supervisor: CDPSupervisor, tab_id: str, within_ms: float = _BLANK_MS) -> bool:
    """Leave a tab's page for ``about:blank``, where its scripts are switched on; False when that
    did not come about in time, or the tab got another target meanwhile."""
    tab = supervisor.state.tabs[tab_id]
    before = supervisor.state.document_in(tab_id)
    supervisor.send(page.Navigate(url="about:blank"), tab.session_id)

    def is_replaced(state: SupervisorState) -> bool:
        now = state.tabs.get(tab_id)
        return now is None or now.target_id != tab.target_id

    def left(state: SupervisorState) -> bool:
        top = state.top_frame(tab_id)
        if top is None or is_replaced(state):
            return is_replaced(state)
        # Not any other document: the page may be on its way elsewhere by itself.
        return top.url == "about:blank" and top.loader_id != before and top.is_parsed

    left_ms = within_ms
    while not await until(supervisor, left, min(_BLANK_MS, left_ms)):
        left_ms -= _BLANK_MS
        if left_ms <= 0:
            supervisor.send(page.StopLoading(), tab.session_id)
            return False
        # Scripts that are off run for a moment between two documents, measured on a slow machine:
        # one that begins there holds the renderer, which hears us by now.
        stop_scripts(supervisor, [tab.session_id] if tab.session_id else [])
    if is_replaced(supervisor.state):
        return False
    supervisor.feed(SetScripts(tab_id, on=True))
    # Even where they count as on: what was sent while the old renderer was held, or on its way
    # out, is not what the new one begins with.
    supervisor.send(emulation.SetScriptExecutionDisabled(value=False), tab.session_id)
    return True


async def renew_frame(supervisor: CDPSupervisor, session_id: str) -> bool:
    """The same for a frame in another process whose parent answers; without its history.

    Sent there by the browser, an empty page would stay in the frame's own process; sent there by
    its parent it goes to the parent's.
    """
    session = supervisor.state.sessions.get(session_id)
    frame = supervisor.state.frames.get(session.target_id) if session is not None else None
    parent = supervisor.state.frames.get((frame and frame.parent_frame_id) or "")
    if frame is None or parent is None:
        return False
    around = parent.session_id
    owner = await called(supervisor, dom.GetFrameOwner(frame_id=frame.frame_id), around)
    if owner is None:
        return False
    node = dom.ResolveNode(backend_node_id=owner.backend_node_id)
    element = await called(supervisor, node, around)
    if element is None:
        return False
    leave = runtime.CallFunctionOn(
        function_declaration="function () { this.contentWindow.location.replace('about:blank'); }",
        object_id=element.object.object_id,
    )
    if await called(supervisor, leave, around) is None:
        return False

    def left(state: SupervisorState) -> bool:
        now = state.frames.get(frame.frame_id)
        return now is not None and now.session_id == around and now.loader_id != ""

    if not await until(supervisor, left, _BLANK_MS):
        return False
    back = page.Navigate(url=frame.url, frame_id=frame.frame_id)
    return await called(supervisor, back, around, _BACK_MS) is not None


async def kill_renderer(supervisor: CDPSupervisor) -> int | None:
    """End the renderer that takes a processor for itself, of a browser that we launched.

    The protocol does not say which process serves which tab; so only if there is exactly one such.
    Returns its process id.
    """
    if supervisor.opened is None or not supervisor.opened.owned:
        return None
    before = (await processor_seconds(supervisor)).get("renderer", {})
    await asyncio.sleep(_SAMPLE_S)
    after = (await processor_seconds(supervisor)).get("renderer", {})
    busy = busier(before, after, _SAMPLE_S)
    return busy[0] if len(busy) == 1 and end_process(busy[0]) else None


async def processor_seconds(supervisor: CDPSupervisor) -> dict[str, dict[int, float]]:
    """What each of the browser's processes has taken of processors, by its type and id."""
    known = await called(supervisor, system_info.GetProcessInfo(), None, _PROCESSES_MS)
    taken: dict[str, dict[int, float]] = {}
    for one in known.process_info if known is not None else ():
        taken.setdefault(one.type, {})[one.id] = one.cpu_time
    return taken


def busier(before: dict[int, float], after: dict[int, float], took_s: float) -> list[int]:
    """Which of them have taken a processor for themselves in between."""
    return [pid for pid in before if after.get(pid, 0) - before[pid] > _BUSY_SHARE * took_s]


def end_process(pid: int) -> bool:
    """End a process of our own browser; False where that is not so easy."""
    try:
        os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    except OSError:
        return False
    return True


async def called(
    supervisor: CDPSupervisor,
    command: Command[Any],
    session_id: str | None,
    within_ms: float = _CALL_MS,
) -> Any:
    """A command's result; None when it was refused or not answered in time."""
    call = supervisor.connection.call(command.METHOD, encode_params(command), session_id)
    try:
        reply = await asyncio.wait_for(call, within_ms / 1000)
    except TimeoutError:
        return None
    try:
        return None if reply.result is None else decode_result(type(command), reply.result)
    except msgspec.DecodeError:
        return None


async def until(supervisor: CDPSupervisor, condition: Any, within_ms: float) -> bool:
    """Wait until ``condition(state)`` holds; False when the time is up or the browser is gone."""
    try:
        with Race(supervisor, Budget(within_ms * supervisor.hang_patience)) as race:
            return await race.until(condition)
    except TabwardenError:
        return False


def is_parsed(state: SupervisorState, tab_id: str) -> bool:
    """Whether the document that stands in a tab can be read."""
    top = state.top_frame(tab_id)
    return top is None or top.is_parsed
