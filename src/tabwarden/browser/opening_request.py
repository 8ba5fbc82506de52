"""Check the arguments of ``launch`` and ``connect``.

A browser starts as soon as this module has checked its options, while Tabwarden imports the modules
that drive it. So this module imports few others.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, profile_folder, restored_name, with_launch
from tabwarden.endpoints import Endpoint, endpoint_of
from tabwarden.endpoints.ahead import OpenedAhead
from tabwarden.endpoints.configured import launch_options, upstream_of
from tabwarden.endpoints.endpoint import LaunchEndpoint, UrlEndpoint, is_ours
from tabwarden.errors import InvalidArgument
from tabwarden.files.local_path import local_path

if TYPE_CHECKING:
    from tabwarden.supervisor.contexts import OwnContext, OwnWindow

Context = Literal["shared", "window", "own"]

_task_numbers = itertools.count(1)


def new_task_id() -> str:
    """Return a name that no other call has returned or will return."""
    return f"task-{next(_task_numbers)}"


class OpeningRequest(NamedTuple):
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
    headless: bool | None = None,
    executable: str | Path | None = None,
    browser: Literal["chrome", "edge", "chromium", "brave"] | None = None,
    user_data_dir: str | Path | None = None,
    profile: str | None = None,
    restore: str | None = None,
    transport: Literal["pipe", "port"] | None = None,
) -> OpeningRequest:
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
    return OpeningRequest(LaunchEndpoint(launched, guarded=True), config, None, restore)


def to_attach(
    config: BrowserConfig, endpoint: str, headers: Mapping[str, str], context: Context | None
) -> OpeningRequest:
    """Check the arguments of ``Browser.connect``, and choose the context."""
    if context is not None:
        from tabwarden.page.call import one_of

        one_of("context", context, ("shared", "window", "own"))
    from tabwarden.supervisor.contexts import OwnContext, OwnWindow

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
    return OpeningRequest(attached, config, place, config.restore)


_early: list[tuple[Endpoint, OpenedAhead]] = []


async def launch_early(config: BrowserConfig) -> None:
    """Launch the configured browser before a call asks for it. Await this on the engine's loop.

    The next launch takes the browser if it has the same options. ``drop_early`` closes it if no
    launch has taken it.
    """
    if config.enabled and config.endpoint is None:
        endpoint = to_launch(config, {}).endpoint
        _early.append((endpoint, OpenedAhead(endpoint, Budget(config.default_timeout_ms))))


async def drop_early() -> None:
    """Close the browser from ``launch_early`` if no launch has taken it."""
    while _early:
        await _early.pop()[1].drop()


async def open_ahead(request: OpeningRequest, budget: Budget) -> OpenedAhead | None:
    """Start to launch a browser if this is the first one of the process, so that most of Tabwarden
    is not imported yet. Otherwise return None."""
    if _early and _early[-1][0] == request.endpoint:
        return _early.pop()[1]
    await drop_early()
    is_launch = isinstance(request.endpoint, LaunchEndpoint)
    if not is_launch or "tabwarden.browser.opening" in sys.modules:
        return None
    return OpenedAhead(request.endpoint, budget)


def _as_list(value: Any) -> Any:
    """Convert a sequence to a list, because pydantic accepts no other sequence as a list."""
    return value if value is None or isinstance(value, (str, Path)) else [*value]


def _path(field: str, path: str | Path | None) -> Path | None:
    return None if path is None else local_path(field, path)
