"""Send a raw CDP command to the session of a frame or a target."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Annotated, Any

import msgspec
from pydantic import Field

from tabwarden.budget import Budget
from tabwarden.errors import Denied, InvalidArgument, NotOopif
from tabwarden.hints import Hint, Next
from tabwarden.page.call import perform_without_page
from tabwarden.page.prompts import dialog
from tabwarden.page.scripts.cdp_limits import Limits, limits_of, within
from tabwarden.page.scripts.cdp_scope import confined, shown
from tabwarden.page.task import CARDS, ActionResult, Call, Task, card
from tabwarden.page.walker import frame_not_found
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CommandRefused

ANSWERS_DIALOG = "Page.handleJavaScriptDialog"
"""The browser refuses this command if a debugger pause or a pending request of Tabwarden keeps the
dialog open."""

_METHOD = re.compile(r"^[A-Z][A-Za-z]*\.[a-z][A-Za-z]*\Z")
_BROWSER_LEVEL = ("BluetoothEmulation", "Browser", "SystemInfo", "Target")
_MAX_CHARS = 1_000_000
_NO_METHOD = -32601
"""JSON-RPC's error code for an unknown method."""


async def send(
    call: Call,
    method: str,
    params: dict[str, Any],
    limits: Limits,
    *,
    frame_id: str | None = None,
    target_id: str | None = None,
) -> Any:
    """Send one command and return its result.

    Without ``frame_id`` and ``target_id``, the command goes to the tab's page, or to the browser if
    the command's domain belongs to the browser.

    Raises:
        InvalidArgument: Tabwarden or the browser does not know the method, or the browser rejects
            the parameters.
        Denied: the command is not on the allowlist (``cdp_allowlist.py``), would bypass the network
            policy or the limits on files and URLs, or would reach beyond the task's own browser
            context.
        Disabled: the command would run a script, and scripts are disabled.
        NotOopif: the frame shares its parent's process, so it has no session of its own.
        FrameNotFound: the frame or target does not exist.
    """
    if not _METHOD.match(method):
        raise InvalidArgument(
            f"{method!r} is not a CDP method.",
            "A method looks like 'Page.getFrameTree'.",
            field="method",
        )
    if call.state.proxied and {"proxyServer", "proxyBypassList"} & params.keys():
        raise Denied(
            f"{method} can't set another proxy, because requests would bypass the network policy.",
            "Omit proxyServer and proxyBypassList.",
            field="params",
        )
    params = within(limits, method, params)
    if method.startswith("Network."):
        call.memory.callers_network = True
    session_id = _session(call.task, call.tab, method, frame_id, target_id)
    params = await confined(call.race, call.state, method, params)
    if "browserContextId" in params and call.state.context is not None:
        session_id = None  # the session of a page would reject the command
    try:
        raw = await call.race.raw(method, json.dumps(params).encode(), session_id)
    except CommandRefused as refused:
        raise InvalidArgument(
            f"The browser refused {method}: {refused.error}.",
            "Check the method's name and parameters in the CDP reference.",
            field="method" if refused.error.code == _NO_METHOD else "params",
            method=method,
            cdp_code=refused.error.code,
        ) from None
    if len(bytes(raw)) > _MAX_CHARS:
        raise InvalidArgument(
            f"The result of {method} has {len(bytes(raw))} bytes; the limit is {_MAX_CHARS}.",
            "Limit the command to one node, a depth or a clip.",
            field="params",
            method=method,
        )
    return shown(call.state, method, json.loads(bytes(raw)))


async def _answer_dialog(
    task: Task,
    budget: Budget,
    params: dict[str, Any],
    *,
    frame_id: str | None = None,
    target_id: str | None = None,
    tab_id: str | None = None,
) -> ActionResult[Any]:
    """Perform ``Page.handleJavaScriptDialog``: answer an open dialog of any kind.

    Without a frame, target or tab, answer the active tab's dialog. If it has none, answer the only
    open dialog.

    Raises:
        InvalidArgument: a parameter is wrong. FrameNotFound: the frame or target does not exist.
        NoDialog: no dialog is open. AmbiguousDialog: several other tabs have an open dialog.
    """
    accept, text = params.get("accept"), params.get("promptText", "")
    if not isinstance(accept, bool) or not isinstance(text, str):
        raise InvalidArgument(
            f"{ANSWERS_DIALOG} has the parameters accept (true or false) and promptText (a "
            "string).",
            field="params",
        )
    await task.connected(budget)
    state = task.state
    named = target_id or frame_id
    if named is not None:
        frame = state.frames.get(named)
        inner = state.tab_of_session(frame.session_id) if frame is not None else None
        tab = inner or state.tab_of_target(named)
        if tab is None:
            raise frame_not_found(named)
        tab_id = tab.tab_id
    elif tab_id is None and state.dialogs_of(state.active_tab_id or ""):
        tab_id = state.active_tab_id
    waits = dialog.which(state, None, tab_id)
    done = await dialog.dialog(
        task,
        budget,
        "accept" if accept else "dismiss",
        text if accept and waits.type == "prompt" else None,
        dialog_id=waits.id,
    )
    return msgspec.structs.replace(done, action="cdp", value={})


def _session(
    task: Task, tab: Tab, method: str, frame_id: str | None, target_id: str | None
) -> str | None:
    state = task.state
    if target_id is not None:
        for session in state.sessions.values():
            if session.target_id == target_id:
                return session.session_id
        raise frame_not_found(target_id)
    if frame_id is None:
        return None if method.partition(".")[0] in _BROWSER_LEVEL else tab.session_id
    frame = state.frames.get(frame_id)
    if frame is None:
        raise frame_not_found(frame_id)
    served = state.sessions.get(frame.session_id)
    if served is None or served.target_id != frame_id:
        raise NotOopif(
            f"Frame {frame_id} shares its parent's process, so it has no CDP session.",
            Hint(
                "Run a script in the frame",
                Next("evaluate", script="...", frame_id=frame_id),
                ", or reach it from its parent: document.querySelector('iframe').contentWindow.",
            ),
            frame_id=frame_id,
        )
    return frame.session_id


@card(
    "cdp",
    about="Send one raw Chrome DevTools Protocol (CDP) command and return its result.",
    permission="scripts",
    group="browsers",
    switch="cdp_enabled",
    needs="cdp",
    gives=Any,
    shows=False,
    alongside=True,
    turn=None,
)
async def cdp(
    task: Task,
    budget: Budget,
    method: Annotated[str, Field(description="A CDP method, such as Page.getFrameTree.")],
    params: Annotated[dict[str, Any] | None, Field(description="The command's parameters.")] = None,
    *,
    frame_id: Annotated[
        str | None, Field(description="Use this out-of-process frame's session.")
    ] = None,
    target_id: Annotated[str | None, Field(description="Use this target's session.")] = None,
    tab_id: str | None = None,
) -> ActionResult:
    """Send one raw CDP command. ``value`` is the command's result.

    ``Page.handleJavaScriptDialog`` answers the open dialog as ``dialog`` does.

    Args:
        method: for example ``Page.getFrameTree``.
        params: the command's parameters.
        frame_id: send the command to the CDP session of this out-of-process frame.
        target_id: send the command to the CDP session of this target.

    Raises:
        NotOopif: the frame has no session of its own; the error suggests an alternative.
        InvalidArgument: Tabwarden or the browser does not know the method, or the browser
            rejects the parameters.
        Denied: the command would control more than the task's pages, leave the task's own
            browser context, read files outside the upload folder, or bypass the network policy;
            the error suggests an alternative.
        Disabled: ``cdp_enabled`` is false, or ``evaluate_enabled`` is false and the command
            would run a script.
        NoDialog, AmbiguousDialog: see ``dialog``.
    """
    limits = limits_of(task.config, here=task.supervisor.runs_here, upload_dirs=task.upload_folders)
    if method == ANSWERS_DIALOG:
        return await _answer_dialog(
            task, budget, params or {}, frame_id=frame_id, target_id=target_id, tab_id=tab_id
        )
    body = partial(
        send,
        method=method,
        params=params or {},
        limits=limits,
        frame_id=frame_id,
        target_id=target_id,
    )
    return await perform_without_page(task, CARDS[cdp], budget, body, tab_id=tab_id)
