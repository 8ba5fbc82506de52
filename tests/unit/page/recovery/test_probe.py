"""Which renderers count as hung, on fast and on slow machines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tabwarden.page.recovery.probe import find_silent, renderer_siblings
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.wire import Reply

REPLY = Reply("", None, None)


class Renderers:
    """Answers each session's probe after this many milliseconds; None: never."""

    def __init__(self, **after_ms: float | None) -> None:
        self._after_ms = after_ms
        self.hang_patience = 1.0
        self.forgotten: list[int] = []
        self.connection = SimpleNamespace(forget=self.forgotten.append)

    def send(self, command: Any, session_id: str | None, on_reply: Callable[[Reply], None]) -> int:
        _ = command
        after_ms = self._after_ms[session_id or "browser"]
        if after_ms is not None:
            asyncio.get_running_loop().call_later(after_ms / 1000, on_reply, REPLY)
        return len(self._after_ms)


def hung(within_ms: float, **after_ms: float | None) -> list[str]:
    renderers = Renderers(**after_ms)
    sessions = [one for one in after_ms if one != "browser"]
    found = asyncio.run(find_silent(renderers, sessions, within_ms / 1000))  # type: ignore[arg-type]
    assert len(renderers.forgotten) == len(sessions) + 1
    return found


def test_probe_returns_the_unresponsive_sessions() -> None:
    assert hung(20, browser=0, A=1, B=None, C=2) == ["B"]
    assert hung(20, browser=0, A=1, B=1) == []
    assert hung(20, browser=0) == []


def test_probe_waits_longer_for_renderers_when_the_browser_is_slow() -> None:
    assert hung(20, browser=15, A=50) == []
    assert hung(20, browser=15, A=None) == ["A"]
    assert hung(20, browser=0, A=400) == ["A"]


@pytest.mark.parametrize(
    ("tab_id", "kin"),
    [("t1", ["t2", "t3"]), ("t2", ["t1", "t3"]), ("t3", ["t1", "t2"]), ("t4", [])],
)
def test_probe_treats_opener_and_popup_as_possibly_sharing_a_renderer(
    tab_id: str, kin: list[str]
) -> None:
    openers = {"t1": None, "t2": "t1", "t3": "t2", "t4": None}
    tabs = {
        name: Tab(
            tab_id=name,
            target_id=name,
            session_id=name,
            url="",
            title="",
            opener_tab_id=opener,
        )
        for name, opener in openers.items()
    }
    assert renderer_siblings(SupervisorState(tabs=tabs), tab_id) == kin
