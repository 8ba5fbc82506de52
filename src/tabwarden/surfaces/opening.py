"""How a surface opens its browser: as the configuration says."""

from __future__ import annotations

import itertools
from typing import Literal

from tabwarden.actions import Session, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.endpoints import UrlEndpoint, endpoint_of
from tabwarden.live_config import LiveConfig

__all__ = ["session_of"]


def session_of(
    config: BrowserConfig | LiveConfig,
    *,
    auto_open: bool = True,
    own_context: bool = False,
    task_id: str | None = None,
) -> Session:
    """A session that launches a browser, or attaches to the configured endpoint, on demand.

    Args:
        config: as it is at each opening.
        auto_open: on the first action that may; else only when it is told to open.
        own_context: in the configured browser it gets a context of its own, unless the
            configuration says otherwise (``browser.isolate``): for surfaces where several tasks
            come to that one. A browser that the agent names itself is shared with whose it is, and
            a provider's session is the task's own as it is.
        task_id: names the work in metrics, logs and the registry of supervisors; made up when
            left out. A later browser of the session, should the first be gone, is ``NAME-2``.
    """
    numbers = itertools.count(1)
    live = config if isinstance(config, LiveConfig) else LiveConfig.fixed(config)

    async def open_browser(way: Way, budget: Budget) -> Browser:
        now = live.browser
        number = next(numbers)
        name = task_id if task_id is None or number == 1 else f"{task_id}-{number}"
        launches = way.browser is not None or way.headless is not None
        endpoint = way.endpoint
        if endpoint is None and not launches:  # an empty one was named, and is no address
            endpoint = now.endpoint
        if endpoint is not None:
            isolates = own_context and way.endpoint is None and _is_plain(endpoint)
            context: Literal["own"] | None = "own" if isolates and now.isolate is None else None
            return await Browser.connect(
                endpoint, context=context, task_id=name, config=now, timeout_ms=budget
            )
        return await Browser.launch(
            browser=way.browser,
            headless=way.headless,
            task_id=name,
            config=now,
            timeout_ms=budget,
        )

    return Session(open_browser, auto_open=auto_open, opening_ms=live.browser.default_timeout_ms)


def _is_plain(endpoint: str) -> bool:
    """Whether it is a browser's address, where everybody gets to the same one."""
    return isinstance(endpoint_of(endpoint), UrlEndpoint)
