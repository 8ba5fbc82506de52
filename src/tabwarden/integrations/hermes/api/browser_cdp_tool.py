"""The tool ``browser_cdp`` of Hermes Agent: sends one raw CDP command, with Hermes' masking and
limits.

With ``frame_id``, the task's supervisor sends the command. Without it, the command goes to the
browser that the user has connected Hermes to.
"""

from __future__ import annotations

import importlib.util
import json
from typing import Any

from tabwarden.config import load_config, upload_folders
from tabwarden.endpoints.attaching import may_run_here
from tabwarden.errors import TabwardenError
from tabwarden.integrations.hermes.api import host
from tabwarden.integrations.hermes.api.one_command import send_once
from tabwarden.integrations.hermes.api.registry import SUPERVISOR_REGISTRY
from tabwarden.integrations.hermes.api.secrets import without_secrets
from tabwarden.integrations.hermes.api.supervisor import CDPSupervisor
from tabwarden.integrations.hermes.dialect import masked, masked_cdp
from tabwarden.page.scripts import cdp, cdp_limits
from tabwarden.supervisor.runtime import engine_loop

CDP_DOCS_URL = "https://chromedevtools.github.io/devtools-protocol/"
BROWSER_CDP_SCHEMA: dict[str, Any] = {
    "name": "browser_cdp",
    "description": "Send one raw Chrome DevTools Protocol (CDP) command to the browser, a target, "
    f"or an out-of-process frame. Methods: {CDP_DOCS_URL}",
    "parameters": {
        "type": "object",
        "properties": {
            "method": {"type": "string", "description": "A CDP method, such as Target.getTargets."},
            "params": {"type": "object", "description": "The command's parameters."},
            "target_id": {"type": "string", "description": "The target that receives the command."},
            "frame_id": {
                "type": "string",
                "description": "The frame that receives the command. is_oopif must be true.",
            },
            "timeout": {"type": "number", "description": "Time limit in seconds, at most 300."},
        },
        "required": ["method"],
    },
}
_DEFAULT_S = 30.0
_MAX_S = 300.0
_MIN_S = 0.1
_WS_AVAILABLE = importlib.util.find_spec("websockets") is not None
_cdp_call = send_once
_resolve_cdp_endpoint = host.endpoint
_browser_cdp_check = host.has_endpoint
# These names are private because Hermes' own modules and tests look them up here.


def browser_cdp(
    method: str,
    params: dict[str, Any] | None = None,
    target_id: str | None = None,
    frame_id: str | None = None,
    timeout: float = _DEFAULT_S,
    task_id: str | None = None,
) -> str:
    """Send one CDP command, and return JSON.

    Args:
        method, params: the command.
        target_id: the target that receives the command.
        frame_id: the out-of-process frame that receives the command, through the task's supervisor.
        timeout: limit in seconds, between 0.1 and 300.
        task_id: the task; ``default`` by default.

    Returns:
        ``{"success": true, "method", "result"}`` with secrets masked, or ``{"error"}``.
    """
    task = task_id or "default"
    if not isinstance(method, str) or not method.strip():
        return _refused("method must name a CDP method, such as 'Target.getTargets'.")
    method = method.strip()
    if params is not None and not isinstance(params, dict):
        return _refused(f"params must be an object (a dict), not {type(params).__name__}.", method)
    why = host.why_private(task, method, params or {})
    if why:
        return _refused(f"Blocked: {why} {method} could expose its content.", method)
    limit_s = _limit(timeout)
    if frame_id:
        return _browser_cdp_via_supervisor(
            task_id=task, frame_id=frame_id, method=method, params=params, timeout=limit_s
        )
    supervisor = SUPERVISOR_REGISTRY.get(task)
    if method == cdp.ANSWERS_DIALOG and supervisor is not None:  # which might keep the dialog open
        return _sent(supervisor, method, params, target_id, limit_s, target_id=target_id)
    if not _WS_AVAILABLE:
        return _refused("The Python package websockets is missing: pip install websockets.")
    endpoint = _resolve_cdp_endpoint()
    if not endpoint:
        return _refused("No browser is connected. Use /browser connect first.", method)
    if not endpoint.startswith(("ws://", "wss://")):
        return _refused(
            f"{endpoint!r} is not a WebSocket address (ws://...). Use /browser connect again.",
            method,
        )
    guarded = {"refuses": host.is_private} if target_id and _judges_target(task, method) else {}
    try:
        config = load_config().browser
        limits = cdp_limits.limits_of(
            config, here=may_run_here(endpoint), upload_dirs=upload_folders(config)
        )
        checked = cdp_limits.within(limits, method, params or {})
        result = engine_loop().run_sync(
            _cdp_call(endpoint, method, checked, target_id or None, limit_s, **guarded)
        )
    except TabwardenError as error:
        return _refused(f"{error.message} {error.hint}".strip(), method)
    beside = {"target_id": target_id} if target_id else {}
    return _answer(method, result, **beside)


def _browser_cdp_via_supervisor(
    task_id: str, frame_id: str, method: str, params: dict[str, Any] | None, timeout: float
) -> str:
    supervisor = SUPERVISOR_REGISTRY.get(task_id)
    if supervisor is None:
        return _refused(
            f"Task {task_id!r} has no CDP supervisor. Call browser_navigate or use /browser "
            "connect first. Then read the frames from frame_tree in the browser_snapshot result.",
            method,
        )
    tree = supervisor.snapshot().frame_tree
    frames = [tree["top"], *tree["children"]] if tree["top"] else []
    frame = next((one for one in frames if one["frame_id"] == frame_id), None)
    session_id = supervisor.resolve_target_session(frame_id)
    if frame is None and session_id is None:
        return _refused(f"Frame {frame_id!r} was not found. See frame_tree.", method)
    if session_id is None:
        return _refused(
            f"Frame {frame_id!r} shares its parent's process, so it has no CDP session. Run a "
            "script in the page: document.querySelector('iframe').contentWindow.",
            method,
        )
    url = str((frame or {}).get("url") or "")
    if _judges_target(task_id, method) and host.is_private(url):
        return _refused(f"Blocked: the frame {url} is at a private or internal address.", method)
    beside = {"frame_id": frame_id, "session_id": session_id}
    return _sent(supervisor, method, params, frame_id, timeout, **beside)


def _sent(
    supervisor: CDPSupervisor,
    method: str,
    params: dict[str, Any] | None,
    session: str | None,
    timeout: float,
    **beside: Any,
) -> str:
    try:
        result = supervisor.send_cdp(method, params or {}, session=session, timeout=timeout)
    except TabwardenError as error:
        return _refused(f"{error.message} {error.hint}".strip(), method)
    return _answer(method, result, **{name: value for name, value in beside.items() if value})


def register(registry: Any) -> None:
    """Add ``browser_cdp`` to Hermes' registry of tools, instead of Hermes' own tool."""
    registry.register(
        name="browser_cdp",
        toolset="browser-cdp",
        schema=BROWSER_CDP_SCHEMA,
        handler=lambda args, **context: browser_cdp(**args, task_id=context.get("task_id")),
        check_fn=host.has_endpoint,
        override=True,
    )


def _judges_target(task_id: str, method: str) -> bool:
    return method not in host.ALLOWED_ON_PRIVATE_PAGES and host.guards(task_id)


def _limit(timeout: Any) -> float:
    try:
        return max(_MIN_S, min(float(timeout), _MAX_S))
    except (TypeError, ValueError):
        return _DEFAULT_S


def _answer(method: str, result: Any, **beside: Any) -> str:
    masked = masked_cdp(method, without_secrets(result))
    answer = {"success": True, "method": method, "result": masked, **beside}
    return json.dumps(answer, ensure_ascii=False)


def _refused(why: str, method: str = "") -> str:
    named = {"method": method} if method else {}
    return json.dumps({"error": masked(without_secrets(why)), **named, "cdp_docs": CDP_DOCS_URL})
