"""Emulating: every target of the task is told what to pretend, new ones before their first script.

The browser keeps it for a session over navigations and crashes; tabs that open, come back after a
lost connection or take another's place get it when they are set up, so nobody has to remember it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tabwarden.protocol import Command, emulation, network
from tabwarden.supervisor.emulation import Device, Emulation
from tabwarden.supervisor.network import ENABLE
from tabwarden.supervisor.turn import Turn

__all__ = ["begin", "committed", "emulate", "session_ended", "set_up"]

_NOTHING = Emulation()
_TOUCH_POINTS = 5


def emulate(turn: Turn, wanted: Emulation) -> None:
    """Pretend this from now on, in all tabs."""
    before = turn.state.emulation
    turn.change(emulation=wanted)
    for session_id in turn.state.sessions:
        _tell(turn, session_id, before, wanted)


def begin(turn: Turn, session_id: str) -> None:
    """A target is set up, before its first script."""
    if turn.state.emulation != _NOTHING:
        _tell(turn, session_id, _NOTHING, turn.state.emulation)


def set_up(turn: Turn, session_id: str) -> None:
    """It has answered. After a lost connection the sessions of the old one may have ended only
    now, and have taken back what they had set, for the new ones too."""
    begin(turn, session_id)


def committed(turn: Turn, session_id: str | None) -> None:
    """Another document stands in a tab. Where a second client is attached to it (the guard), the
    medium goes back to what that one has, which is none."""
    if turn.state.emulation.media:
        turn.send(_media(turn.state.emulation), session_id)


def session_ended(turn: Turn) -> None:
    """Time zone and locale are one for all pages of a process, in the hands of the session that
    set them first: when that ends, another one has to."""
    now = turn.state.emulation
    if now.timezone or now.locale:
        for session_id in turn.state.sessions:
            for command in _places(_NOTHING, now):
                turn.send(command, session_id)


def _tell(turn: Turn, session_id: str, before: Emulation, now: Emulation) -> None:
    is_page = turn.state.sessions[session_id].target_type == "page"
    recording = turn.state.recording
    if now.needs_network and not before.needs_network and not recording:
        turn.send(ENABLE, session_id)
    for command in _differences(before, now, is_page=is_page):
        turn.send(command, session_id)
    if before.needs_network and not now.needs_network and not recording:
        turn.send(network.Disable(), session_id)


def _differences(before: Emulation, now: Emulation, *, is_page: bool) -> Iterator[Command[Any]]:
    """The commands that lead from one to the other."""
    if before.device != now.device:
        yield from _screen(now.device, is_page=is_page)
    if _agent(before) != _agent(now):
        yield _agent(now)
    yield from _places(before, now)
    if before.geolocation != now.geolocation:
        here = now.geolocation
        if here is None:
            yield emulation.ClearGeolocationOverride()
        else:
            yield emulation.SetGeolocationOverride(
                latitude=here.latitude, longitude=here.longitude, accuracy=here.accuracy
            )
    if _media(before) != _media(now):
        yield _media(now)
    if before.headers != now.headers:
        yield network.SetExtraHTTPHeaders(headers=dict(now.headers))
    if before.offline != now.offline:
        yield network.EmulateNetworkConditions(
            offline=now.offline, latency=0, download_throughput=-1, upload_throughput=-1
        )


def _screen(device: Device | None, *, is_page: bool) -> Iterator[Command[Any]]:
    if is_page and device is None:
        yield emulation.ClearDeviceMetricsOverride()
    elif is_page and device is not None:
        upright = device.height >= device.width
        yield emulation.SetDeviceMetricsOverride(
            width=device.width,
            height=device.height,
            screen_width=device.width,
            screen_height=device.height,
            device_scale_factor=device.scale,
            mobile=device.mobile,
            screen_orientation=emulation.ScreenOrientation(
                type="portraitPrimary" if upright else "landscapePrimary",
                angle=0 if upright else 90,
            ),
        )
    touch = device is not None and device.mobile
    yield emulation.SetTouchEmulationEnabled(
        enabled=touch, max_touch_points=_TOUCH_POINTS if touch else 1
    )


def _agent(now: Emulation) -> emulation.SetUserAgentOverride:
    """How the browser calls itself, and which languages it asks for."""
    device = now.device
    known: dict[str, Any] = {}
    if device is not None and device.model and not now.user_agent:
        known["user_agent_metadata"] = emulation.UserAgentMetadata(
            platform="Android",
            platform_version="10",
            architecture="",
            model=device.model,
            mobile="Mobile" in device.user_agent,
        )
    if device is not None and device.platform and not now.user_agent:
        known["platform"] = device.platform
    if now.locale:
        language = now.locale.partition("-")[0]
        both = now.locale if language == now.locale else f"{now.locale},{language}"
        known["accept_language"] = both
    named = now.user_agent or (device.user_agent if device is not None else "")
    return emulation.SetUserAgentOverride(user_agent=named, **known)


def _places(before: Emulation, now: Emulation) -> Iterator[Command[Any]]:
    if before.timezone != now.timezone:
        yield emulation.SetTimezoneOverride(timezone_id=now.timezone)
    if before.locale != now.locale:
        yield emulation.SetLocaleOverride(locale=now.locale.replace("-", "_"))


def _media(now: Emulation) -> emulation.SetEmulatedMedia:
    return emulation.SetEmulatedMedia(
        media=now.media,
        features=[
            emulation.MediaFeature(name="prefers-color-scheme", value=now.color_scheme),
            emulation.MediaFeature(name="prefers-reduced-motion", value=now.reduced_motion),
        ],
    )
