"""A machine with the request bridge: document requests and bridge requests."""

from __future__ import annotations

import base64
import json
from typing import Any

from support.machine_kit import HOME, Play
from tabwarden.protocol import fetch
from tabwarden.supervisor.core.handlers.debugging import Armed
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import Bridge, BridgeMode, DialogPolicy, Policy
from tabwarden.supervisor.runtime import fresh_bridge


class Requested(Play):
    """A machine with a bridge and one ready tab."""

    @classmethod
    def open(
        cls,
        mode: str = "auto",
        *,
        policy: str = "must_respond",
        owned: bool = True,
        shared: bool = False,
        timeout_s: float = 300.0,
    ) -> Requested:
        play = cls(
            Policy(
                bridge=fresh_bridge(BridgeMode(mode)),
                dialog_policy=DialogPolicy(policy),
                dialog_timeout_s=timeout_s,
            )
        )
        play.give(inputs.Connected(owned=owned, shared=shared))
        play.open_page()
        return play

    @property
    def bridge(self) -> Bridge:
        bridge = self.state.policy.bridge
        assert bridge is not None
        return bridge

    def asks(
        self,
        kind: str = "confirm",
        message: str = "Sure?",
        initial: str = "",
        *,
        request_id: str = "R1",
        frame_id: str = "T1",
        on: str = "S1",
        url: str = HOME,
        **about: Any,
    ) -> None:
        """The bridge's request is held."""
        body = {
            "key": self.bridge.key, "url": url, "type": kind, "message": message,
            "initial": initial,
        }  # fmt: skip
        self.held(json.dumps({**body, **about}), request_id=request_id, frame_id=frame_id, on=on)

    def held(
        self,
        body: str | None,
        *,
        url: str | None = None,
        request_id: str = "R1",
        frame_id: str = "T1",
        on: str | None = "S1",
        kind: str = "XHR",
    ) -> None:
        """``Fetch.requestPaused``."""
        request = {
            "url": self.bridge.url if url is None else url, "method": "POST", "headers": {},
            "initialPriority": "High", "referrerPolicy": "no-referrer",
        }  # fmt: skip
        if body is not None:
            request["postData"] = body
        paused = {
            "requestId": request_id, "request": request, "frameId": frame_id, "resourceType": kind,
        }  # fmt: skip
        self.event("Fetch.requestPaused", paused, on)

    def armed(self, on: str = "S1") -> None:
        """The debugger is on."""
        self.reply(Armed(on))

    def told_page(self, request_id: str = "R1") -> list[dict[str, Any]]:
        """The answers to a request."""
        return [
            json.loads(base64.b64decode(s.command.body or ""))
            for s in self.commands
            if isinstance(s.command, fetch.FulfillRequest) and s.command.request_id == request_id
        ]

    def let_go(self, request_id: str = "R1") -> list[str]:
        """How a request was continued, each time."""
        ways = (fetch.FulfillRequest, fetch.ContinueRequest, fetch.FailRequest)
        return [
            s.command.METHOD
            for s in self.commands
            if isinstance(s.command, ways) and s.command.request_id == request_id
        ]

    def debugger(self, on: str = "S1") -> list[str]:
        """The commands that turned the debugger on and off."""
        return [
            method.removeprefix("Debugger.")
            for method in self.sent(on)
            if method in ("Debugger.enable", "Debugger.disable")
        ]
