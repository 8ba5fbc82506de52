"""The exact commands that answer a dialog, on each channel."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tabwarden.protocol import encode_params
from tabwarden.supervisor.core.state.answers import NOWHERE, answer_command, fulfilled
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.policy import BridgeMode
from tabwarden.supervisor.runtime import fresh_bridge

BRIDGE = fresh_bridge(BridgeMode.AUTO)


def dialog(channel: str, **more: Any) -> PendingDialog:
    return PendingDialog(
        id="d-1", type="prompt", message="?", default_prompt="", frame_id="T1", session_id="S1",
        target_id="T1", tab_id="t1", url="", opened_at=0.0, deadline=0.0, channel=channel,  # type: ignore[arg-type]
        **{"held_by": "7.0", **more},
    )  # fmt: skip


def sent(waits: PendingDialog, *, accept: bool, text: str | None) -> tuple[str, dict[str, Any]]:
    command = answer_command(waits, BRIDGE, accept=accept, prompt_text=text)
    told: dict[str, Any] = json.loads(encode_params(command))
    return command.METHOD, told


@pytest.mark.parametrize(
    ("accept", "text", "told"),
    [(True, 'A "b"', 'true, text: "A \\"b\\""'), (False, None, 'false, text: ""')],
)
def test_debugger_answer_sets_the_variable_of_the_paused_function(
    accept: bool, text: str | None, told: str
) -> None:
    assert sent(dialog("debugger"), accept=accept, text=text) == (
        "Debugger.evaluateOnCallFrame",
        {
            "callFrameId": "7.0",
            "expression": f"void (answer = {{__proto__: null, accept: {told}}})",
            "silent": True,
            "returnByValue": True,
        },
    )


@pytest.mark.parametrize(("accept", "text"), [(True, "Ada"), (False, None)])
def test_xhr_answer_fulfills_the_held_request(accept: bool, text: str | None) -> None:
    method, told = sent(dialog("xhr"), accept=accept, text=text)
    assert method == "Fetch.fulfillRequest"
    assert json.loads(base64.b64decode(told.pop("body"))) == {
        "key": BRIDGE.key, "native": False, "accept": accept, "text": text or "",
    }  # fmt: skip
    assert told == {
        "requestId": "7.0",
        "responseCode": 200,
        "responseHeaders": [
            {"name": "Access-Control-Allow-Origin", "value": "*"},
            {"name": "Content-Type", "value": "application/json"},
            {"name": "Cache-Control", "value": "no-store"},
        ],
    }


def test_unanswered_xhr_dialog_counts_as_dismissed() -> None:
    told = json.loads(base64.b64decode(fulfilled("7.0", BRIDGE).body or ""))
    assert (told["accept"], told["text"]) == (False, "")


@pytest.mark.parametrize(
    ("accept", "text", "told"),
    [
        (True, "Ada", {"accept": True, "promptText": "Ada"}),
        (True, "", {"accept": True, "promptText": ""}),
        (False, None, {"accept": False}),
    ],
)
def test_native_answer_handles_the_javascript_dialog(
    accept: bool, text: str | None, told: Any
) -> None:
    waits = dialog("native", held_by="")
    assert sent(waits, accept=accept, text=text) == ("Page.handleJavaScriptDialog", told)


def test_unloading_documents_dialog_is_answered_by_a_void_navigation() -> None:
    waits = dialog("native", is_leaving=True)
    assert sent(waits, accept=False, text=None) == ("Page.navigate", {"url": NOWHERE})
