"""Build the command that answers a dialog, for each channel."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec

from tabwarden.protocol import Command, debugger, fetch, page
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.policy import Bridge

UNANSWERABLE = "Not attached to an active page"
"""The browser's error for a page between two documents: the session already belongs to the next
document, which has not arrived yet (docs/decisions/0010, 0011).
"""
NOWHERE = "tabwarden-nowhere:"
"""A navigation to this URL ends immediately and does not stop another navigation. However, it makes
the browser close the dialogs of a document that is being unloaded (measured, docs/decisions/0010).
"""


def answer_command(
    dialog: PendingDialog, bridge: Bridge | None, *, accept: bool, prompt_text: str | None
) -> Command[Any]:
    """Return the command that answers a dialog. On the debugger channel, send ``Debugger.resume``
    only after this command's reply. If both commands are sent together, the page may continue
    without the answer (measured: in one of three cases).
    """
    if dialog.channel == "debugger":
        text = json.dumps(prompt_text or "")
        # The object has no prototype, so that the page's changes to ``Object.prototype`` have no
        # effect.
        answer = f"{{__proto__: null, accept: {json.dumps(accept)}, text: {text}}}"
        return on_call_frame(dialog.held_by, f"void (answer = {answer})")
    if dialog.channel == "xhr" and bridge is not None:
        return fulfilled(dialog.held_by, bridge, accept=accept, text=prompt_text or "")
    if dialog.is_leaving:
        return page.Navigate(url=NOWHERE)
    text_or_unset = msgspec.UNSET if prompt_text is None else prompt_text
    return page.HandleJavaScriptDialog(accept=accept, prompt_text=text_or_unset)


def on_call_frame(call_frame_id: str, expression: str) -> debugger.EvaluateOnCallFrame:
    """Return the command that evaluates an expression in a paused function."""
    return debugger.EvaluateOnCallFrame(
        call_frame_id=call_frame_id, expression=expression, silent=True, return_by_value=True
    )


def fulfilled(
    request_id: str, bridge: Bridge, *, accept: bool = False, text: str = ""
) -> fetch.FulfillRequest:
    """Return the command that answers a page's intercepted request."""
    answer = {"key": bridge.key, "native": False, "accept": accept, "text": text}
    return fetch.FulfillRequest(
        request_id=request_id,
        response_code=200,
        response_headers=[
            fetch.HeaderEntry(name="Access-Control-Allow-Origin", value="*"),
            fetch.HeaderEntry(name="Content-Type", value="application/json"),
            fetch.HeaderEntry(name="Cache-Control", value="no-store"),
        ],
        body=base64.b64encode(json.dumps(answer).encode()).decode(),
    )
