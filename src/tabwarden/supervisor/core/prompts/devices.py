"""Device choosers: a page requests a device, and the browser lists the devices that it finds.

Chromium reports a Web Bluetooth chooser (``DeviceAccess``) when the chooser opens, and again for
each device that it finds. Chromium does not report the choosers of WebUSB, WebHID and Web Serial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.hints import Next
from tabwarden.protocol import device_access
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import replace

_NO_SUCH_DEVICE = "Cannot find device"
"""Chromium's error if the chosen device is gone; the chooser then stays open."""


class DeviceChooser(Prompt, frozen=True, kw_only=True):
    """A page requested a device. The page's scripts continue to run."""

    request_id: str
    devices: tuple[device_access.PromptDevice, ...]


class DeviceChosen(Ask, frozen=True):
    """The reply to ``DeviceAccess.selectPrompt`` or ``cancelPrompt``."""

    prompt_id: str


def prompted(
    turn: Turn, event: device_access.DeviceRequestPrompted, session_id: str | None
) -> None:
    """Record a chooser that a page opened, or another device that the browser found."""
    session = turn.state.session(session_id)
    if session is None:
        return
    devices = tuple(event.devices)
    for chooser in turn.state.prompts_of(DeviceChooser):
        if chooser.session_id == session_id and chooser.request_id == event.id:
            DEVICE_CHOOSER.put(turn, replace(chooser, devices=devices))
            return
        if chooser.session_id == session_id:  # a page has only one chooser at a time
            answer(turn, chooser, None)
    frame_id = turn.state.frame_id_of(session)
    DEVICE_CHOOSER.open(turn, session, frame_id=frame_id, request_id=event.id, devices=devices)


def answer(turn: Turn, chooser: DeviceChooser, device_id: str | None) -> None:
    """Pass the chosen device to the page; None cancels the chooser."""
    about = chooser.request_id
    command: device_access.SelectPrompt | device_access.CancelPrompt
    command = device_access.CancelPrompt(id=about)
    if device_id is not None:
        command = device_access.SelectPrompt(id=about, device_id=device_id)
    DEVICE_CHOOSER.put(turn, replace(chooser, answered=True))
    turn.send(command, chooser.session_id, DeviceChosen(chooser.id))


def answered(turn: Turn, ask: DeviceChosen, error: str | None) -> None:
    """Remove an answered chooser. If the chosen device is gone, the chooser stays open."""
    for chooser in turn.state.prompts_of(DeviceChooser):
        if chooser.id == ask.prompt_id and error is not None and _NO_SUCH_DEVICE in error:
            DEVICE_CHOOSER.put(turn, replace(chooser, answered=False))
            return
    DEVICE_CHOOSER.drop(turn, lambda chooser: chooser.id == ask.prompt_id)


def _asks(prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
    offered = (" ".join(quote(device[key]) for key in ("id", "name") if device[key])
               for device in prompt["devices"])  # fmt: skip
    return f" for a device: {', '.join(offered) or 'none found yet'}"


DEVICE_CHOOSER: PromptKind[DeviceChooser] = PromptKind(
    prompt=DeviceChooser,
    letter="dc",
    noun="Device chooser",
    step=Next("choose", choice="..."),
    asks=_asks,
    hides=frozenset({"request_id"}),
    choices=lambda one: {device.id: device.name for device in one.devices},
    answer=answer,
    events=((device_access.DeviceRequestPrompted, prompted),),
    replies=((DeviceChosen, answered),),
    set_up=(device_access.Enable(),),
)
