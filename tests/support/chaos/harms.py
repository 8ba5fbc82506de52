"""The kinds of faults: each one starts, and returns the function that ends it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

from support.chaos.deeds import Deed
from support.chaos.raw import RawClient
from support.chaos.world import World, processes
from support.faulty import (
    Answer,
    Cut,
    Delay,
    Drop,
    Duplicate,
    Fault,
    Garble,
    Overtake,
    Refuse,
    refuse_domain,
)

__all__ = ["HARMS", "Harm"]

End = Callable[[], None]
Draw = Callable[[random.Random, Deed], dict[str, Any]]
_DOMAINS = ("Debugger", "DOM", "Fetch", "Input", "Network")
"""Domains that are not essential."""
_SET_UP = ("Debugger", "Fetch", "Network")
"""The domains that the setup of a target enables."""


@dataclass(frozen=True)
class Harm:
    """One kind of fault."""

    begin: Callable[..., End]
    draw: Draw = lambda chance, deed: {}
    weight: float = 1.0
    deeds: tuple[str, ...] = ()
    """The actions that this fault can affect; empty: all."""
    loses_dialogs: bool = False
    """It ends pages, whose dialogs nobody may ever have seen; or keeps them from what they do
    first, which is to tell that they are about to ask; or it leaves the browser without any client
    for a while, where it answers dialogs by itself."""

    @property
    def is_armed(self) -> bool:
        """The fault is waiting in the relay for its message."""
        return self.begin.__qualname__.startswith(_armed.__name__)


def _nothing() -> None:
    """A fault that ends by itself."""


def _armed(make: Callable[..., Fault]) -> Callable[..., End]:
    def begin(world: World, **args: Any) -> End:
        world.relay.arm(make(**args))
        return world.relay.disarm

    return begin


def _cut_idle(world: World) -> End:
    world.relay.cut()
    return _nothing


def _cut_first(world: World) -> End:
    with contextlib.suppress(IndexError):
        world.relay.cut_first()
    return _nothing


def _stall(world: World) -> End:
    world.relay.stall()
    return world.relay.flow


def _refuse_connections(world: World, seconds: float) -> End:
    world.relay.refuse(seconds)
    world.relay.cut()
    return world.relay.allow


def _close_session(world: World, which: float) -> End:
    sessions = [s for s in world.browser.state.sessions.values() if s.target_type == "page"]
    if sessions:
        world.relay.detach(sessions[int(which * len(sessions))].session_id)
    return _nothing


def _signal(kind: str, number: int) -> Callable[..., End]:
    def begin(world: World) -> End:
        hit = processes(world.pid, kind)
        _send(hit if kind != "browser" else [world.pid], number)
        if number != signal.SIGSTOP:
            return _nothing
        return lambda: _send(hit if kind != "browser" else [world.pid], signal.SIGCONT)

    return begin


def _send(pids: list[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _kill_browser(world: World) -> End:
    world.is_over = True
    world.relay.refuse()
    os.kill(world.pid, signal.SIGKILL)
    return _nothing


def _outsider_closes(world: World, which: float) -> End:
    with RawClient(world.port) as outsider:
        pages = outsider.targets("page")
        if len(pages) > 1:  # a browser without any page exits
            outsider.call(
                "Target.closeTarget", {"targetId": pages[int(which * len(pages))]["targetId"]}
            )
    return _nothing


def _outsider_opens(world: World) -> End:
    if len(world.browser.state.tabs) < 4:
        with RawClient(world.port) as outsider:
            outsider.call("Target.createTarget", {"url": world.site.here + "/plain"})
    return _nothing


def _wall_clock(world: World, seconds: float) -> End:
    real = time.time

    def jumped() -> float:
        return real() + seconds

    patched = mock.patch("time.time", new=jumped)
    patched.start()
    return patched.stop


def _full_disk(world: World) -> End:
    """The download folder's disk is full."""
    if not world.disk_is_small:
        return _nothing
    filler = world.downloads / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4_096)
    return filler.unlink


def _pick(**options: Any) -> Draw:
    """Draw each argument: one of a tuple, or a number from a range."""

    def draw(chance: random.Random, deed: Deed) -> dict[str, Any]:
        _ = deed
        return {
            name: chance.uniform(values.start, values.stop) / 1000
            if isinstance(values, range)
            else chance.choice(values)
            for name, values in options.items()
        }

    return draw


def _of_any(*kinds: str, **options: Any) -> Draw:
    """The fault for messages of these kinds: all of them, or a domain that the deed uses."""

    def draw(chance: random.Random, deed: Deed) -> dict[str, Any]:
        kind = chance.choice(kinds)
        domains = deed.tells if kind == "event" else [f"{one}.*" for one in deed.domains]
        told = {"kind": kind, "method": chance.choice(("*", *domains))}
        return told | _pick(**options)(chance, deed)

    return draw


def _of_calls(**options: Any) -> Draw:
    """The fault for the commands that the deed uses."""

    def draw(chance: random.Random, deed: Deed) -> dict[str, Any]:
        return {"method": chance.choice(deed.calls)} | _pick(**options)(chance, deed)

    return draw


def _domain(chance: random.Random, deed: Deed) -> dict[str, Any]:
    """A nonessential domain that the deed uses."""
    opens = _SET_UP if "Target.*" in deed.tells else ()
    return {"domain": chance.choice([*opens, *(one for one in deed.domains if one in _DOMAINS)])}


_AT = tuple(range(-3, 64))
_HOW = ("truncated", "no json", "no utf-8", "another shape")

HARMS: dict[str, Harm] = {
    "none": Harm(lambda world: _nothing, weight=1),
    "cut": Harm(_armed(Cut), _of_any("command", "reply", "event", at_byte=_AT), 3),
    "cut_idle": Harm(_cut_idle, weight=2, loses_dialogs=True),
    "cut_first": Harm(_cut_first, weight=2),
    "refuse_connections": Harm(
        _refuse_connections, _pick(seconds=range(50, 800)), 1, loses_dialogs=True
    ),
    "stall": Harm(_stall, weight=1.5),
    "delay": Harm(
        _armed(Delay), _of_any("command", "reply", "event", seconds=range(10, 400), times=(1, 5)), 3
    ),
    "overtake": Harm(_armed(Overtake), _of_any("reply", times=(1, 5, 20)), 3),
    "duplicate": Harm(_armed(Duplicate), _of_any("reply", "event", times=(1, 20)), 3),
    "drop": Harm(_armed(Drop), _of_calls(kind=("command", "reply")), 2),
    "garble": Harm(_armed(Garble), _of_calls(how=_HOW), 3),
    "error": Harm(_armed(Refuse), _of_calls(times=(1, 3)), 3),
    "empty_answer": Harm(_armed(Answer), _of_calls(), 2),
    "refuse_domain": Harm(
        _armed(refuse_domain),
        _domain,
        2,
        deeds=("goto", "reload", "click", "type", "open", "popup", "download"),
    ),
    "close_session": Harm(_close_session, _pick(which=range(0, 1000)), 2, loses_dialogs=True),
    "outsider_closes": Harm(_outsider_closes, _pick(which=range(0, 1000)), 1, loses_dialogs=True),
    "outsider_opens": Harm(_outsider_opens, weight=1),
    "kill_renderer": Harm(_signal("renderer", signal.SIGKILL), weight=1, loses_dialogs=True),
    "stop_renderer": Harm(_signal("renderer", signal.SIGSTOP), weight=1, loses_dialogs=True),
    "kill_gpu": Harm(_signal("gpu-process", signal.SIGKILL), weight=0.5),
    "stop_gpu": Harm(_signal("gpu-process", signal.SIGSTOP), weight=0.5),
    "kill_network": Harm(_signal("network", signal.SIGKILL), weight=0.5, loses_dialogs=True),
    "stop_network": Harm(_signal("network", signal.SIGSTOP), weight=0.5, loses_dialogs=True),
    "stop_browser": Harm(_signal("browser", signal.SIGSTOP), weight=0.5),
    "kill_browser": Harm(_kill_browser, weight=0.15, loses_dialogs=True),
    "wall_clock": Harm(_wall_clock, _pick(seconds=(-86_400, -3_600, 3_600, 86_400)), 1),
    "full_disk": Harm(_full_disk, weight=0.3, deeds=("download",)),
    "out_of_memory": Harm(
        lambda world: _nothing, weight=0.1, deeds=("eat_memory",), loses_dialogs=True
    ),
}
