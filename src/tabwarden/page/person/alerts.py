"""Notify people by a webhook and a desktop notification when an agent asks for help from a
person."""

from __future__ import annotations

import html
import json
import logging
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Sequence
from typing import Any

from tabwarden.config import ControlConfig
from tabwarden.page.control import (
    Change,
    Control,
    Handoff,
    HandoffAsked,
    HandoffEnded,
    handoff_json,
)
from tabwarden.page.person.timing import ALERT_S
from tabwarden.page.text import sentence
from tabwarden.telemetry import task_name

log = logging.getLogger("tabwarden.control")

_TITLE = "An agent asks for your help"
_OSASCRIPT = (
    "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
)


class Alerts:
    """Sends a task's alerts. Each alert is sent on a separate thread, so nothing waits for it."""

    def __init__(self, task_id: str, control: Control, config: ControlConfig) -> None:
        self.config = config
        self._task = task_name(task_id)
        self._control = control
        control.watch(self.changed)

    def changed(self, change: Change) -> None:
        """Send the alerts for a change."""
        match change:
            case HandoffAsked(handoff):
                self._post("handoff_asked", handoff, link=self._link())
                if self.config.notify:
                    _in_background(_notify, sentence(handoff.reason))
            case HandoffEnded(handoff):
                self._post("handoff_ended", handoff)

    def _link(self) -> str | None:
        return self._control.link() if self._control.link is not None else None

    def _post(self, event: str, handoff: Handoff, **more: Any) -> None:
        if self.config.webhook is not None:
            body = {"event": event, "task": self._task, **handoff_json(handoff), **more}
            _in_background(_send, self.config.webhook.get_secret_value(), json.dumps(body).encode())


def _in_background(work: Any, *arguments: Any) -> None:
    threading.Thread(target=work, args=arguments, name="tabwarden-alert", daemon=True).start()


def _send(url: str, body: bytes) -> None:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=ALERT_S):
            pass
    except (OSError, ValueError) as error:  # never log the URL: it may contain a key
        log.warning("the webhook for hand-offs could not be called: %s", type(error).__name__)


def _notify(reason: str) -> None:
    command = notification(reason)
    if command is None:
        return
    try:
        subprocess.run(
            command, timeout=ALERT_S, check=False, stdin=subprocess.DEVNULL, capture_output=True
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.info("no desktop notification could be shown: %s", type(error).__name__)


def notification(reason: str) -> Sequence[str] | None:
    """Return the command that shows a desktop notification; None if the system has no such command.

    The agent wrote the reason, so it is passed as an argument and never as code.
    """
    if sys.platform == "darwin" and (program := shutil.which("osascript")):
        return [program, "-e", _OSASCRIPT, _TITLE, reason]
    if program := shutil.which("notify-send"):
        return [program, "--app-name=Tabwarden", "--", _TITLE, html.escape(reason)]
    return None
