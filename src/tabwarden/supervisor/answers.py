"""Answers: the command that answers a dialog, by its channel."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from tabwarden.protocol import Command, debugger, page
from tabwarden.supervisor.state import PendingDialog

__all__ = ["answer_command", "on_call_frame"]


def answer_command(dialog: PendingDialog, *, accept: bool, prompt_text: str | None) -> Command[Any]:
    """What to send on the dialog's session. On the debugger channel a resume has to follow, once
    this is answered: sent together the page goes on without the answer (measured, 1 of 3)."""
    if dialog.channel == "debugger" and dialog.call_frame_id is not None:
        text = json.dumps(prompt_text or "")
        # Without a prototype, so that nothing that the page put into its own shows through.
        answer = f"{{__proto__: null, accept: {json.dumps(accept)}, text: {text}}}"
        return on_call_frame(dialog.call_frame_id, f"void (answer = {answer})")
    given = msgspec.UNSET if prompt_text is None else prompt_text
    return page.HandleJavaScriptDialog(accept=accept, prompt_text=given)


def on_call_frame(call_frame_id: str, expression: str) -> debugger.EvaluateOnCallFrame:
    """An expression in a paused function, by value."""
    return debugger.EvaluateOnCallFrame(
        call_frame_id=call_frame_id, expression=expression, silent=True, return_by_value=True
    )
