"""Open the task of a browser.

``tabwarden.sync`` also uses this module, because the module's async functions run on the engine's
event loop.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tabwarden.browser.opening_request import OpeningRequest
from tabwarden.browser.sweeping import sweep_once
from tabwarden.budget import Budget
from tabwarden.config import EMULATED, state_folder
from tabwarden.endpoints import Endpoint
from tabwarden.endpoints.ahead import OpenedAhead
from tabwarden.endpoints.configured import not_applied
from tabwarden.endpoints.endpoint import LaunchEndpoint, MovableEndpoint, endpoint_for, is_ours
from tabwarden.page import Task
from tabwarden.page.checkpoint import Checkpoints, keep_session_cookies, keep_state
from tabwarden.page.recovery import watch_navigations
from tabwarden.page.scripts import init_script
from tabwarden.policy import policy_of
from tabwarden.recording import Recorder
from tabwarden.supervisor.contexts import OwnContext
from tabwarden.supervisor.runtime import SupervisorRegistry, engine_loop
from tabwarden.vault import read_in_thread

registry = SupervisorRegistry(engine_loop())
"""The supervisors of all tasks in this process."""

_COMPANY = (
    "Another program is also controlling this browser, perhaps in the same tab: another Tabwarden "
    "session, another tool, or DevTools. Open your own tab and use only this tab (tab_id)."
)


class Opened(NamedTuple):
    """An open task, with the values for ``Browser.restored`` and ``Browser.warnings``."""

    task: Task
    restored: str
    warnings: tuple[str, ...]


async def open_task(
    request: OpeningRequest,
    name: str,
    budget: Budget,
    *,
    is_named: bool,
    ahead: OpenedAhead | None = None,
) -> Opened:
    """Start a task's supervisor and prepare the task.

    Args:
        request: the browser and the configuration.
        name: the task's name in the registry.
        budget: limit for the whole call.
        is_named: whether the caller chose the name.
        ahead: the endpoint, if it is opening already. If this call fails, its browser is closed.
    """
    try:
        return await _open_task(request, name, budget, is_named, ahead)
    finally:
        if ahead is not None:
            await ahead.drop()


async def _open_task(
    request: OpeningRequest, name: str, budget: Budget, is_named: bool, ahead: OpenedAhead | None
) -> Opened:
    config = request.config
    contents = await read_in_thread(config, budget.remaining_s())
    endpoint = endpoint_for(request.endpoint, name if is_named else None)
    has_own = isinstance(request.place, OwnContext) and request.place.joins is None
    policy = policy_of(config, is_ours=is_ours(endpoint) or has_own)
    supervisor = await registry.get_or_start_async(
        name, endpoint, policy=policy, context=request.place, budget=budget, ahead=ahead
    )
    supervisor.hang_patience = config.hang_patience
    supervisor.kill_busy_processes = config.kill_busy_processes
    task = Task(supervisor, config)
    task.vault.hold(contents)
    supervisor.telemetry.hide = task.vault.hidden.hide
    sweep_once(config)
    watch_navigations(task)
    try:
        if policy.init_scripts:
            await init_script.check_configured(task, budget)
        Recorder.start(task, config)
        if isinstance(endpoint, MovableEndpoint):
            endpoint.is_idle = lambda: not task.journal.running
            endpoint.before_move = Checkpoints(task, endpoint.checkpoint_s).take_now
        restored = ""
        if request.restore is not None:
            restored = await keep_state(task, state_folder(config), request.restore, budget)
        elif (profile := _profile_of(endpoint)) is not None:
            await keep_session_cookies(task, profile, budget)
    except BaseException:
        engine_loop().submit(registry.stop_async(name))
        raise
    warnings: tuple[str, ...] = ()
    if not isinstance(endpoint, LaunchEndpoint):
        applied = (*EMULATED, "proxy") if has_own else EMULATED if is_ours(endpoint) else ()
        opened = supervisor.opened
        launched_as = opened.launched_as if opened is not None else None
        warnings = not_applied(config, applied, launched_as)
        if supervisor.had_company:
            warnings += (_COMPANY,)
    return Opened(task, restored, warnings)


def _profile_of(endpoint: Endpoint) -> Path | None:
    """Return the folder of the permanent profile with which an endpoint launches its browser; None
    if the profile is temporary."""
    folder = endpoint.options.user_data_dir if isinstance(endpoint, LaunchEndpoint) else None
    return None if folder is None else Path(folder).expanduser().absolute()
