"""Builders for the machine's tests: CDP traffic as Chromium sends it, in as few words as it takes.

``Play`` holds the present state of one machine and everything that came out of it. Parameters go
in as JSON bytes, so the decoding is under test too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from tabwarden.protocol import fetch, log, page, runtime, target, web_mcp
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.handlers.bridge import source_in
from tabwarden.supervisor.core.handlers.dialogs import DialogAnswered
from tabwarden.supervisor.core.handlers.frames import FrameTreeAsked
from tabwarden.supervisor.core.handlers.set_up import SetUp
from tabwarden.supervisor.core.handlers.targets import ReplacementCreated
from tabwarden.supervisor.core.prompts import SET_UP as PROMPTS_SET_UP
from tabwarden.supervisor.core.state import inputs, notices
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.policy import Bridge, DialogPolicy, Policy
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame, Tab
from tabwarden.supervisor.core.state.transition import Now, Send, Step

N = TypeVar("N", bound=notices.Notice)

WALL = 1_800_000_000.0
"""The wall clock's time when the monotonic clock is at 0."""
HOME = "https://a.test/"
NO_DIALOG = "No dialog is showing"


def hash_in(bridge: Bridge | None, target_id: str = "T1") -> str:
    """V8's report of the script that a supervisor with this bridge adds to a target."""
    assert bridge is not None
    return hashlib.sha256(source_in(bridge, target_id).encode()).hexdigest()


class Play:
    """One machine: feed it inputs, and read ``state``, ``commands`` and ``notices``."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.state: SupervisorState = m.initial_state(policy)
        self.clock = 1_000.0
        self.commands: list[Send] = []
        self.notices: list[notices.Notice] = []

    @classmethod
    def connected(cls, context: str | None = None, **policy: Any) -> Play:
        """A connected machine; ``context``: the machine's own context in the browser."""
        if "dialog_policy" in policy:
            policy["dialog_policy"] = DialogPolicy(policy["dialog_policy"])
        play = cls(Policy(**policy))
        play.give(inputs.Connected(context is None, context))
        return play

    # -- inputs ----------------------------------------------------------------------------

    def give(self, given: inputs.Input) -> Step:
        """Feed one input at the present time."""
        done = m.step(self.state, given, Now(self.clock, WALL + self.clock))
        self.state = done.state
        self.commands += done.commands
        self.notices += done.notices
        return done

    def event(self, method: str, params: Mapping[str, Any], session_id: str | None = None) -> Step:
        """Feed one event, its parameters as JSON bytes."""
        return self.give(inputs.EventReceived(method, session_id, json.dumps(params).encode()))

    def reply(self, ask: Any, result: Any = None, error: str | None = None) -> Step:
        """Feed the reply to a command of the machine."""
        raw = None if error is not None else json.dumps(result or {}).encode()
        return self.give(inputs.Replied(ask, raw, error))

    def tick_at(self, clock: float) -> Step:
        """Move the time to ``clock`` and run the timer."""
        self.clock = clock
        return self.give(inputs.Tick())

    # -- targets ---------------------------------------------------------------------------

    def attach(
        self,
        target_id: str = "T1",
        session_id: str = "S1",
        *,
        kind: str = "page",
        on: str | None = None,
        url: str = HOME,
        title: str = "A",
        opener: str | None = None,
        parent_frame: str | None = None,
        context: str = "C",
    ) -> Step:
        """``Target.attachedToTarget``."""
        info = target_info(
            target_id, kind=kind, url=url, title=title, opener=opener, context=context
        )
        if parent_frame is not None:
            info["parentFrameId"] = parent_frame
        return self.event(
            "Target.attachedToTarget",
            {"sessionId": session_id, "targetInfo": info, "waitingForDebugger": True},
            on,
        )

    def open_page(
        self, target_id: str = "T1", session_id: str = "S1", *, url: str = HOME, **more: Any
    ) -> None:
        """Attach a page, which answers its setup and has one document."""
        self.attach(target_id, session_id, url=url, **more)
        self.reply(FrameTreeAsked(session_id), {"frameTree": {"frame": frame(target_id, url=url)}})
        self.reply(SetUp(session_id))

    def oopif(
        self, frame_id: str = "F", session_id: str = "SF", *, on: str = "S1", parent: str = "T1"
    ) -> None:
        """Give a frame of ``on``'s page its own target, which answers its setup."""
        url = f"https://{frame_id.lower()}.other.test/"
        self.attach(frame_id, session_id, kind="iframe", on=on, url=url, parent_frame=parent)
        own = frame(frame_id, url=url)
        self.reply(FrameTreeAsked(session_id), {"frameTree": {"frame": own}})
        self.reply(SetUp(session_id))

    def detach(self, session_id: str, *, on: str | None = None) -> Step:
        """``Target.detachedFromTarget``."""
        return self.event("Target.detachedFromTarget", {"sessionId": session_id}, on)

    def destroy(self, target_id: str) -> Step:
        """``Target.targetDestroyed``."""
        return self.event("Target.targetDestroyed", {"targetId": target_id})

    def crash(self, target_id: str) -> Step:
        """``Target.targetCrashed``."""
        return self.event(
            "Target.targetCrashed", {"targetId": target_id, "status": "crashed", "errorCode": 11}
        )

    # -- frames ----------------------------------------------------------------------------

    def frame_attached(self, frame_id: str, parent: str = "T1", on: str = "S1") -> Step:
        """``Page.frameAttached``."""
        return self.event("Page.frameAttached", {"frameId": frame_id, "parentFrameId": parent}, on)

    def frame_detached(self, frame_id: str, on: str = "S1", *, reason: str = "remove") -> Step:
        """``Page.frameDetached``."""
        return self.event("Page.frameDetached", {"frameId": frame_id, "reason": reason}, on)

    def navigated(
        self, frame_id: str = "T1", on: str = "S1", *, kind: str = "Navigation", **about: Any
    ) -> Step:
        """``Page.frameNavigated``."""
        return self.event(
            "Page.frameNavigated", {"frame": frame(frame_id, **about), "type": kind}, on
        )

    def lifecycle(
        self, name: str, loader: str = "L1", frame_id: str = "T1", on: str = "S1"
    ) -> Step:
        """``Page.lifecycleEvent``."""
        return self.event(
            "Page.lifecycleEvent",
            {"frameId": frame_id, "loaderId": loader, "name": name, "timestamp": 1.5},
            on,
        )

    def context(
        self,
        number: int,
        frame_id: str = "T1",
        on: str = "S1",
        *,
        world: str | None = None,
    ) -> Step:
        """``Runtime.executionContextCreated``: the main world, or the isolated one named."""
        about = {
            "id": number,
            "origin": HOME,
            "name": world or "",
            "uniqueId": f"{on}.{number}",
            "auxData": {
                "frameId": frame_id,
                "isDefault": world is None,
                "type": "default" if world is None else "isolated",
            },
        }
        return self.event("Runtime.executionContextCreated", {"context": about}, on)

    # -- dialogs and console ---------------------------------------------------------------

    def dialog(
        self,
        kind: str = "confirm",
        message: str = "Sure?",
        *,
        on: str = "S1",
        frame_id: str = "T1",
        default: str | None = None,
    ) -> PendingDialog | None:
        """``Page.javascriptDialogOpening``; return the open dialog, or None if it is closed."""
        params: dict[str, Any] = {
            "url": HOME,
            "frameId": frame_id,
            "message": message,
            "type": kind,
            "hasBrowserHandler": False,
        }
        if default is not None:
            params["defaultPrompt"] = default
        self.event("Page.javascriptDialogOpening", params, on)
        return self.state.pending_dialogs[-1] if self.state.pending_dialogs else None

    def dialog_closed(self, *, result: bool = True, text: str = "", on: str = "S1") -> Step:
        """``Page.javascriptDialogClosed``."""
        return self.event(
            "Page.javascriptDialogClosed",
            {"frameId": "T1", "result": result, "userInput": text},
            on,
        )

    def answer(self, dialog_id: str, *, accept: bool = True, text: str | None = None) -> Step:
        """Answer a dialog as the agent."""
        return self.give(inputs.AnswerDialog(dialog_id, accept, text))

    def console(self, kind: str = "log", *arguments: Any, on: str = "S1") -> Step:
        """``Runtime.consoleAPICalled``; arguments as remote objects."""
        return self.event(
            "Runtime.consoleAPICalled",
            {
                "type": kind,
                "args": list(arguments),
                "executionContextId": 1,
                "timestamp": 1.0,
                "stackTrace": {
                    "callFrames": [
                        {
                            "functionName": "",
                            "scriptId": "3",
                            "url": f"{HOME}app.js",
                            "lineNumber": 6,
                            "columnNumber": 0,
                        }
                    ]
                },
            },
            on,
        )

    def thrown(self, text: str = "Error: no", on: str = "S1") -> Step:
        """``Runtime.exceptionThrown``."""
        return self.event(
            "Runtime.exceptionThrown",
            {
                "timestamp": 1.0,
                "exceptionDetails": {
                    "exceptionId": 1,
                    "text": "Uncaught",
                    "lineNumber": 11,
                    "columnNumber": 2,
                    "url": f"{HOME}app.js",
                    "exception": {"type": "object", "description": text},
                },
            },
            on,
        )

    # -- reading ---------------------------------------------------------------------------

    @property
    def tab(self) -> Tab:
        """The only tab."""
        (tab,) = self.state.tabs.values()
        return tab

    def frame(self, frame_id: str = "T1") -> Frame:
        """The frame, which must exist."""
        return self.state.frames[frame_id]

    def told(self, kind: type[N]) -> list[N]:
        """The notices of one kind, in order."""
        return [notice for notice in self.notices if isinstance(notice, kind)]

    def sent(self, session_id: str | None) -> list[str]:
        """The methods of the commands sent on a session, in order."""
        return [s.command.METHOD for s in self.commands if s.session_id == session_id]

    def answers_sent(self) -> list[page.HandleJavaScriptDialog]:
        """All dialog answers that were sent to the browser."""
        return [
            s.command for s in self.commands if isinstance(s.command, page.HandleJavaScriptDialog)
        ]

    def dialog_ask(self) -> DialogAnswered:
        """The ask of the last answer that was sent."""
        return next(s.ask for s in reversed(self.commands) if isinstance(s.ask, DialogAnswered))

    def replacement_ask(self) -> ReplacementCreated:
        """The ask of the last ``Target.createTarget``."""
        return next(s.ask for s in reversed(self.commands) if isinstance(s.ask, ReplacementCreated))


def frame(
    frame_id: str,
    *,
    url: str = HOME,
    loader: str = "L1",
    parent: str | None = None,
    name: str | None = None,
    fragment: str | None = None,
    unreachable: str | None = None,
) -> dict[str, Any]:
    """A ``Page.Frame``."""
    origin = "/".join(url.split("/")[:3])
    about: dict[str, Any] = {
        "id": frame_id,
        "loaderId": loader,
        "url": url,
        "domainAndRegistry": "a.test",
        "securityOrigin": origin,
        "mimeType": "text/html",
        "secureContextType": "Secure",
        "crossOriginIsolatedContextType": "NotIsolated",
        "gatedAPIFeatures": [],
    }
    optional = {
        "parentId": parent,
        "name": name,
        "urlFragment": fragment,
        "unreachableUrl": unreachable,
    }
    return about | {key: value for key, value in optional.items() if value is not None}


def tree(top: dict[str, Any], *children: dict[str, Any]) -> dict[str, Any]:
    """The result of ``Page.getFrameTree``, one level deep."""
    return {"frameTree": {"frame": top, "childFrames": [{"frame": child} for child in children]}}


def target_info(
    target_id: str,
    *,
    kind: str = "page",
    url: str = HOME,
    title: str = "A",
    opener: str | None = None,
    context: str = "C",
    reaches_opener: bool = False,
) -> dict[str, Any]:
    """A ``Target.TargetInfo``."""
    info: dict[str, Any] = {
        "targetId": target_id,
        "type": kind,
        "title": title,
        "url": url,
        "attached": True,
        "canAccessOpener": reaches_opener,
        "browserContextId": context,
    }
    return info | ({"openerId": opener} if opener else {})


SET_UP = [
    page.Enable.METHOD,
    runtime.Enable.METHOD,
    log.Enable.METHOD,
    page.SetLifecycleEventsEnabled.METHOD,
    target.SetAutoAttach.METHOD,
    *(command.METHOD for command in PROMPTS_SET_UP),
    fetch.Enable.METHOD,
    web_mcp.Enable.METHOD,
    page.GetFrameTree.METHOD,
    runtime.RunIfWaitingForDebugger.METHOD,
]
