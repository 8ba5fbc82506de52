"""Answers: the command that answers a dialog, by its channel."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec

from tabwarden.protocol import Command, debugger, fetch, page
from tabwarden.supervisor.dialog_values import PendingDialog
from tabwarden.supervisor.policy import Bridge

__all__ = ["NOWHERE", "UNANSWERABLE", "answer_command", "fulfilled", "on_call_frame"]

UNANSWERABLE = "Not attached to an active page"
"""How the browser refuses what is for a page between two documents: the session is the next one's
already, which is not in yet (docs/decisions/0010, 0011)."""
NOWHERE = "tabwarden-nowhere:"
"""A navigation that begins, ends at once, and leaves the one that is under way alone: what a
browser closes the dialogs of a leaving document for (measured, docs/decisions/0010)."""


def answer_command(
    dialog: PendingDialog, bridge: Bridge | None, *, accept: bool, prompt_text: str | None
) -> Command[Any]:
    """What to send on the dialog's session.

    On the debugger channel a resume has to follow, once this is answered: sent together the page
    goes on without the answer (measured, 1 of 3).
    """
    if dialog.channel == "debugger":
        text = json.dumps(prompt_text or "")
        # Without a prototype, so that nothing that the page put into its own shows through.
        answer = f"{{__proto__: null, accept: {json.dumps(accept)}, text: {text}}}"
        return on_call_frame(dialog.held_by, f"void (answer = {answer})")
    if dialog.channel == "xhr" and bridge is not None:
        return fulfilled(dialog.held_by, bridge, accept=accept, text=prompt_text or "")
    if dialog.is_leaving:
        return page.Navigate(url=NOWHERE)
    given = msgspec.UNSET if prompt_text is None else prompt_text
    return page.HandleJavaScriptDialog(accept=accept, prompt_text=given)


def on_call_frame(call_frame_id: str, expression: str) -> debugger.EvaluateOnCallFrame:
    """An expression in a paused function, by value."""
    return debugger.EvaluateOnCallFrame(
        call_frame_id=call_frame_id, expression=expression, silent=True, return_by_value=True
    )


def fulfilled(
    request_id: str, bridge: Bridge, *, accept: bool = False, text: str = ""
) -> fetch.FulfillRequest:
    """The reply to a page's waiting request."""
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
