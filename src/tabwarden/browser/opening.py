"""Check the arguments of ``launch`` and ``connect``, and open a task.

``tabwarden.sync`` also uses this module, because the module's async functions run on the engine's
event loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from tabwarden.browser.sweeping import sweep_once
from tabwarden.budget import Budget
from tabwarden.config import (
    EMULATED,
    BrowserConfig,
    profile_folder,
    restored_name,
    state_folder,
    with_launch,
)
from tabwarden.endpoints import Endpoint, endpoint_of
from tabwarden.endpoints.endpoint import (
    LaunchEndpoint,
    MovableEndpoint,
    UrlEndpoint,
    endpoint_for,
    is_ours,
)
from tabwarden.errors import InvalidArgument
from tabwarden.page import Task
from tabwarden.page.call import local_path, one_of
from tabwarden.page.checkpoint import Checkpoints, keep_session_cookies, keep_state
from tabwarden.page.recovery import watch_navigations
from tabwarden.page.scripts import init_script
from tabwarden.policy import launch_options, not_applied, policy_of, upstream_of
from tabwarden.recording import Recorder
from tabwarden.supervisor.contexts import OwnContext, OwnWindow
from tabwarden.supervisor.runtime import SupervisorRegistry, engine_loop
from tabwarden.vault import read_in_thread

Context = Literal["shared", "window", "own"]

registry = SupervisorRegistry(engine_loop())
"""The supervisors of all tasks in this process."""

_COMPANY = (
    "Another program is also controlling this browser, perhaps in the same tab: another Tabwarden "
    "session, another tool, or DevTools. Open your own tab and use only this tab (tab_id)."
)

_task_numbers = itertools.count(1)


def new_task_id() -> str:
    """Return a name that no other call has returned or will return."""
    return f"task-{next(_task_numbers)}"


class Opened(NamedTuple):
    """An open task, with the values for ``Browser.restored`` and ``Browser.warnings``."""

    task: Task
    restored: str
    warnings: tuple[str, ...]


class Wanted(NamedTuple):
    """The checked arguments of ``launch`` or ``connect``."""

    endpoint: Endpoint
    config: BrowserConfig
    place: OwnContext | OwnWindow | None
    """The context or window for the task. If it is None, the task shares the browser's tabs."""
    restore: str | None


def to_launch(
    config: BrowserConfig,
    options: Mapping[str, Any],
    *,
    headless: bool | None,
    executable: str | Path | None,
    browser: Literal["chrome", "edge", "chromium", "brave"] | None,
    user_data_dir: str | Path | None,
    profile: str | None,
    restore: str | None,
    transport: Literal["pipe", "port"] | None,
) -> Wanted:
    """Check the arguments of ``Browser.launch``. ``options`` are fields of ``LaunchConfig``."""
    if headless is not None and not isinstance(headless, bool):
        raise InvalidArgument(
            f"headless must be true or false, not {headless!r}.", field="headless"
        )
    lists = {name: _as_list(options.get(name)) for name in ("args", "extensions")}
    config = with_launch(config, {**options, **lists})
    folder = profile_folder(config, _path("user_data_dir", user_data_dir), profile)
    restore = restored_name(config, restore, folder)
    launched = msgspec.structs.replace(
        launch_options(config),
        headless=config.headless if headless is None else headless,
        executable=_path("executable", executable or config.executable),
        browser=browser or config.channel,
        user_data_dir=folder,
        transport=transport or config.transport,
    )
    return Wanted(LaunchEndpoint(launched, guarded=True), config, None, restore)


def to_attach(
    config: BrowserConfig, endpoint: str, headers: Mapping[str, str], context: Context | None
) -> Wanted:
    """Check the arguments of ``Browser.connect``, and choose the context."""
    if context is not None:
        one_of("context", context, ("shared", "window", "own"))
    attached = endpoint_of(UrlEndpoint(endpoint, dict(headers)))
    if context is None and is_ours(attached):
        context = "shared"  # no other task uses the browser
    elif context is None:
        context = "own" if config.isolate else getattr(attached, "context", "shared")
    place: OwnContext | OwnWindow | None = None
    if context == "window":
        place = OwnWindow()
    elif context == "own":
        place = OwnContext(egress=True, upstream=upstream_of(config))
    return Wanted(attached, config, place, config.restore)


async def open_task(wanted: Wanted, name: str, budget: Budget, *, is_named: bool) -> Opened:
    """Start a task's supervisor and prepare the task.

    Args:
        wanted: the browser and the configuration.
        name: the task's name in the registry.
        budget: limit for the whole call.
        is_named: whether the caller chose the name.
    """
    config = wanted.config
    contents = await read_in_thread(config, budget.remaining_s())
    endpoint = endpoint_for(wanted.endpoint, name if is_named else None)
    has_own = isinstance(wanted.place, OwnContext) and wanted.place.joins is None
    policy = policy_of(config, is_ours=is_ours(endpoint) or has_own)
    supervisor = await registry.get_or_start_async(
        name, endpoint, policy=policy, context=wanted.place, budget=budget
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
        if wanted.restore is not None:
            restored = await keep_state(task, state_folder(config), wanted.restore, budget)
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


def _as_list(value: Any) -> Any:
    """Convert a sequence to a list, because pydantic accepts no other sequence as a list."""
    return value if value is None or isinstance(value, (str, Path)) else [*value]


def _path(field: str, path: str | Path | None) -> Path | None:
    return None if path is None else local_path(field, path)
