"""Apply the emulation settings to every target of the task.

A session's settings survive navigations and crashes. New, reconnected and replaced tabs get the
settings during set-up, before their first script.

``set_scripts`` turns off a tab's scripts, for pages that hang again after each time their script is
stopped. ``Emulation.setScriptExecutionDisabled`` reaches a renderer even while a script is running.
The setting survives navigations, so we turn scripts on again when the tab leaves the page. Our own
scripts still run, so the page stays readable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tabwarden.protocol import Command, emulation, network
from tabwarden.supervisor.core.handlers.network import log
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.emulation import Device, Emulation, NetworkSpeed
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_NOTHING = Emulation()
_TOUCH_POINTS = 5
_OFF = emulation.SetScriptExecutionDisabled(value=True)
_ON = emulation.SetScriptExecutionDisabled(value=False)


def emulate(turn: Turn, input_: inputs.Emulate) -> None:
    before = turn.state.emulation
    turn.change(emulation=input_.emulation)
    for session_id in turn.state.sessions:
        _tell(turn, session_id, before, input_.emulation)


def begin(turn: Turn, session_id: str) -> None:
    """Apply the settings to a new target, before its first script."""
    if turn.state.emulation != _NOTHING:
        _tell(turn, session_id, _NOTHING, turn.state.emulation)


def set_up(turn: Turn, session_id: str) -> None:
    """Apply the settings again after the target has responded. After a reconnect, an old session
    may end late, and its end also resets the settings of the new sessions.
    """
    begin(turn, session_id)


def committed(turn: Turn, session_id: str | None) -> None:
    """Apply the medium and the scale again after a tab committed another document. If the guard is
    attached as a second client, the browser now uses the guard's emulated medium, which is none.

    A screenshot temporarily changes the device scale (``page/task/shutter.py``). If the document is
    replaced during the screenshot, the browser keeps this scale, and every click would be at ``x /
    scale``, ``y / scale``.
    """
    if turn.state.emulation.media:
        turn.send(_media(turn.state.emulation), session_id)
    if turn.state.emulation.is_scaled:
        turn.send(metrics_of(turn.state.emulation.device), session_id)


def session_ended(turn: Turn) -> None:
    """Set time zone and locale again after a session ended. These settings apply to all pages in a
    process, but belong to the session that set them first.
    """
    now = turn.state.emulation
    if now.timezone or now.locale:
        for session_id in turn.state.sessions:
            for command in _places(_NOTHING, now):
                turn.send(command, session_id)


def _tell(turn: Turn, session_id: str, before: Emulation, now: Emulation) -> None:
    is_page = turn.state.sessions[session_id].target_type == "page"
    recording = turn.state.recording
    if now.needs_network and not before.needs_network and not recording:
        turn.send(log.ENABLE, session_id)
    for command in _differences(before, now, is_page=is_page):
        turn.send(command, session_id)
    if before.needs_network and not now.needs_network and not recording:
        turn.send(network.Disable(), session_id)


def _differences(before: Emulation, now: Emulation, *, is_page: bool) -> Iterator[Command[Any]]:
    """Yield the commands that change the old settings to the new settings."""
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
    if (before.offline, before.network) != (now.offline, now.network):
        speed = now.network or NetworkSpeed()
        yield network.EmulateNetworkConditions(
            offline=now.offline,
            latency=speed.latency_ms,
            download_throughput=speed.download,
            upload_throughput=speed.upload,
        )
    if before.cpu != now.cpu:
        yield emulation.SetCPUThrottlingRate(rate=now.cpu)


def _screen(device: Device | None, *, is_page: bool) -> Iterator[Command[Any]]:
    if is_page:
        yield metrics_of(device)
    touch = device is not None and device.mobile
    yield emulation.SetTouchEmulationEnabled(
        enabled=touch, max_touch_points=_TOUCH_POINTS if touch else 1
    )


def metrics_of(device: Device | None) -> Command[Any]:
    """Return the command that sets a tab's size and scale."""
    if device is None:
        return emulation.ClearDeviceMetricsOverride()
    (width, height), (screen_width, screen_height) = device.page, device.screen
    upright = height >= width
    return emulation.SetDeviceMetricsOverride(
        width=width,
        height=height,
        screen_width=screen_width,
        screen_height=screen_height,
        device_scale_factor=device.scale,
        mobile=device.mobile,
        screen_orientation=emulation.ScreenOrientation(
            type="portraitPrimary" if upright else "landscapePrimary",
            angle=90 if device.mobile and not upright else 0,
        ),
    )


def _agent(now: Emulation) -> emulation.SetUserAgentOverride:
    """Return the command that sets the user agent and the languages."""
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


def set_scripts(turn: Turn, input_: inputs.SetScripts) -> None:
    """Turn a tab's scripts on or off, in all its frames."""
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is None or tab.scripts_off is not input_.on:
        return
    turn.put("tabs", tab.tab_id, replace(tab, scripts_off=not input_.on, scripts_switched=True))
    for session in turn.state.sessions.values():
        if session.tab_id == tab.tab_id:
            turn.send(_ON if input_.on else _OFF, session.session_id)


def restore_scripts(turn: Turn, tab: Tab) -> None:
    """Turn a tab's scripts on again after another document committed. If a renderer is being
    replaced, the command may not reach the new renderer. In that case, scripts may stay off in this
    document, but they run in later documents.
    """
    if tab.scripts_switched and not tab.scripts_off:
        turn.send(_ON, tab.session_id)


def begin_scripts(turn: Turn, session_id: str) -> None:
    """Turn off scripts for a new frame in a tab whose scripts are off."""
    tab = turn.state.tab_of_session(session_id)
    if tab is not None and tab.scripts_off and tab.session_id != session_id:
        turn.send(_OFF, session_id)


INPUTS = ((inputs.Emulate, emulate), (inputs.SetScripts, set_scripts))
