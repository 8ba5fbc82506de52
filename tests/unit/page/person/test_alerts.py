"""Alerts: a webhook and a desktop notification report an agent's handoff."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from pydantic import SecretStr, ValidationError
from support.eventually import eventually
from support.site import Site

from tabwarden.config import ControlConfig
from tabwarden.page.control import Control, Handoff, HandoffEnded
from tabwarden.page.person import Alerts
from tabwarden.page.person.alerts import notification

HANDOFF = Handoff(id="h-1", reason="Log in; $(rm)", asked_at=1, deadline=600, ends_at=601)


def test_webhook_receives_handoffs_as_json() -> None:
    bodies: list[bytes] = []

    def take(request: BaseHTTPRequestHandler) -> None:
        bodies.append(request.rfile.read(int(request.headers["Content-Length"])))
        request.send_response(204)
        request.end_headers()

    with Site() as site:
        site.pages["/hook"] = take
        config = ControlConfig(notify=False, webhook=SecretStr(f"{site.here}/hook"))
        alerts = Alerts("task", Control(cast("Any", None)), config)
        alerts.changed(HandoffEnded(msgspec.structs.replace(HANDOFF, outcome="done")))
        eventually(lambda: bodies)
    told = json.loads(bodies[0])
    assert (told["event"], told["task"], told["id"]) == ("handoff_ended", "task", "h-1")
    assert (told["reason"], told["outcome"]) == ("Log in; $(rm)", "done")


@pytest.mark.threat
def test_notification_passes_the_reason_as_an_argument_and_never_as_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "notify-send"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    command = notification("--help <b>$(rm)</b>")
    assert command is not None
    assert list(command[:3]) == [str(program), "--app-name=Tabwarden", "--"]
    assert command[-1] == "--help &lt;b&gt;$(rm)&lt;/b&gt;"
    program.unlink()
    assert notification("reason") is None


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host", "host/hook"])
def test_control_config_rejects_a_webhook_that_is_not_http(url: str) -> None:
    with pytest.raises(ValidationError, match="http"):
        ControlConfig(webhook=SecretStr(url))
