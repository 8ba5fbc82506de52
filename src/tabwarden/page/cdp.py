"""Raw CDP, over the session that serves the frame or target that is named."""

from __future__ import annotations

import json
import re
from typing import Any

from tabwarden.errors import Denied, Disabled, InvalidArgument, NotOopif
from tabwarden.page.confined import confined, shown
from tabwarden.page.off_limits import Limits, within
from tabwarden.page.task import Task
from tabwarden.page.worlds import frame_not_found
from tabwarden.supervisor import CommandRefused, Race, Tab

__all__ = ["refuse_scripts", "send"]

_METHOD = re.compile(r"^[A-Z][A-Za-z]*\.[a-z][A-Za-z]*\Z")
_SCRIPTING = re.compile(
    r"^(Runtime|Debugger)\."
    r"|^Page\.(addScriptToEvaluateOn(NewDocument|Load)|setDocumentContent)$"
    r"|^Target\.(sendMessageToTarget|exposeDevToolsProtocol)$"
    r"|^DOM\.(setOuterHTML|setAttributeValue|setAttributesAsText)$"
)
"""What hands a page a script: two domains, and the ways around them."""
_IGNORED_IN_URLS = re.compile(r"^[\x00-\x20]+|[\t\n\r]")
"""What the URL parser removes before it looks for the scheme (WHATWG URL, 4.4)."""
_BROWSER_LEVEL = ("Browser", "Target", "SystemInfo")
_MAX_CHARS = 1_000_000
_NO_METHOD = -32601
"""JSON-RPC's code for a method that there is not."""


def refuse_scripts(method: str, params: dict[str, Any]) -> None:
    """What ``evaluate_enabled: false`` refuses of raw CDP.

    Raises:
        Disabled: the command would run a script in a page, or look into one that runs.
    """
    url = params.get("url")
    runs_url = isinstance(url, str) and _IGNORED_IN_URLS.sub("", url).lower().startswith(
        "javascript:"
    )
    if _SCRIPTING.match(str(method)) or runs_url or "scriptToEvaluateOnLoad" in params:
        raise Disabled(
            f"{method} would run a script: switched off by evaluate_enabled: false.",
            "Use snapshot, click and type.",
            method=method,
        )


async def send(
    task: Task,
    race: Race,
    tab: Tab,
    method: str,
    params: dict[str, Any],
    limits: Limits,
    *,
    frame_id: str | None = None,
    target_id: str | None = None,
) -> Any:
    """Send one command; its result.

    Without ``frame_id`` and ``target_id`` it goes to the tab's page, or to the browser for the
    domains that belong there.

    Raises:
        InvalidArgument: no such method or parameters, by the browser's word.
        Denied: it would lead past the network policy, or is off limits (``page/off_limits.py``).
        NotOopif: the frame shares its parent's process, so has no session of its own.
        FrameNotFound: no such frame or target.
        Denied: it reaches beyond the browser context that is the task's own.
    """
    if not isinstance(method, str) or not _METHOD.match(method):
        raise InvalidArgument(
            f"{method!r} is not a CDP method.",
            "A method looks like 'Page.getFrameTree'.",
            field="method",
        )
    if not isinstance(params, dict):
        raise InvalidArgument(
            f"params must be an object, not {repr(params)[:100]}.", field="params"
        )
    if task.state.proxied and {"proxyServer", "proxyBypassList"} & params.keys():
        raise Denied(
            f"{method} may not set another proxy: requests would pass by the network policy.",
            "Leave proxyServer and proxyBypassList out.",
            field="params",
        )
    params = within(limits, method, params)
    session_id = _session(task, tab, method, frame_id, target_id)
    params = await confined(race, task.state.context, method, params)
    if "browserContextId" in params and task.state.context is not None:
        session_id = None  # on a page's own session it would be refused
    try:
        raw = await race.raw(method, json.dumps(params).encode(), session_id)
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
            f"The result of {method} has {len(bytes(raw))} bytes, more than {_MAX_CHARS}.",
            "Ask for less: a node, a depth, a clip.",
            field="params",
            method=method,
        )
    return shown(task.state.context, method, json.loads(bytes(raw)))


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
            f"Frame {frame_id} shares its parent's process, so it has no session of its own.",
            "Use browser_evaluate(frame_id=...), which works in both kinds, or reach it from its "
            "parent: document.querySelector('iframe').contentWindow.",
            frame_id=frame_id,
        )
    return frame.session_id
