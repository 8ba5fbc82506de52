"""Elicitation: a hand-off also asks the person in the chat, if the client supports it (form or
URL). Until protocol version 2025-11-25, the server asks while the call is waiting. Since
2026-07-28, the call returns the question, and the client repeats the call with the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from tabwarden.actions import ACTIONS, Session, available
from tabwarden.page.control import LONGEST_TEXT, Change, Control, Handoff
from tabwarden.page.text import quoted
from tabwarden.surfaces.mcp.calls import HANDOFF

log = logging.getLogger("tabwarden.mcp")

Context = ServerRequestContext[dict[str, Any], Any]

_QUESTION = "handoff"
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "message": {
            "type": "string",
            "title": "A message for the agent",
            "description": "Optional.",
            "maxLength": LONGEST_TEXT,
        }
    },
}


def asks_with_link(context: Context) -> bool:
    """Return whether the client asks its person with a link, which must open the live view."""
    modes = _modes(context)
    return modes is not None and modes.url is not None


def question(
    context: Context, session: Session, params: types.CallToolRequestParams
) -> types.InputRequiredResult | None:
    """Return the question with which a call must end, so that the client asks the person.

    None if the call runs without a question, because it is not a hand-off, the client asks in the
    older way or not at all, or the person has answered.
    """
    control = _control_of(session)
    if params.name != HANDOFF or control is None or context.session.can_send_request:
        return None
    if params.request_state is not None or _modes(context) is None:
        return None
    reason = (params.arguments or {}).get("reason")
    if not isinstance(reason, str) or not 0 < len(reason.strip()) <= LONGEST_TEXT:
        return None  # the call itself reports the error
    if control.has_unreported_end(reason):
        return None
    handoff = control.ask(reason)
    question_params = _question_params(context, control, handoff)
    return types.InputRequiredResult(
        input_requests={_QUESTION: types.ElicitRequest(params=question_params)},
        request_state=f"{question_params.mode} {handoff.id}",
    )


def heard(context: Context, session: Session, params: types.CallToolRequestParams) -> None:
    """Apply the person's answer, if the call contains it."""
    control = _control_of(session)
    answers = params.input_responses or {}
    answer = answers.get(_QUESTION)
    if params.name != HANDOFF or control is None or not isinstance(answer, types.ElicitResult):
        return
    mode, _, handoff_id = (params.request_state or "").partition(" ")
    _apply(context, control, handoff_id, answer, is_form=mode == "form")


@asynccontextmanager
async def asking(
    context: Context, session: Session, params: types.CallToolRequestParams
) -> AsyncIterator[None]:
    """Ask the person in the chat, while the block waits for a hand-off."""
    control = _control_of(session)
    if (
        params.name != HANDOFF
        or control is None
        or not context.session.can_send_request
        or _modes(context) is None
    ):
        yield
        return
    work = asyncio.create_task(_ask(context, control))
    try:
        yield
    finally:
        work.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await work


async def _ask(context: Context, control: Control) -> None:
    """Wait for the call's hand-off, ask, and apply the answer."""
    handoff = await _begun(control)
    params = _question_params(context, control, handoff)
    session, request_id = context.session, context.request_id
    try:
        if isinstance(params, types.ElicitRequestURLParams):
            answer = await session.elicit_url(params.message, params.url, handoff.id, request_id)
        else:
            answer = await session.elicit_form(params.message, _FORM, request_id)
    except (MCPError, OSError, ValueError) as error:
        log.info("the client could not ask its person: %s", type(error).__name__)
        return
    _apply(context, control, handoff.id, answer, is_form=params.mode == "form")


async def _begun(control: Control) -> Handoff:
    loop = asyncio.get_running_loop()
    changed = asyncio.Event()

    def tell(_: Change) -> None:  # on any thread
        if not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    stop = control.watch(tell)
    try:
        while not control.waiting_handoffs:
            await changed.wait()
            changed.clear()
        return control.waiting_handoffs[-1]
    finally:
        stop()


def _question_params(
    context: Context, control: Control, handoff: Handoff
) -> types.ElicitRequestFormParams | types.ElicitRequestURLParams:
    """Return the question, in the client's mode. Only URL mode includes a link to the live view,
    because clients show that link only to the person.
    """
    link = control.link() if control.link is not None else None
    message = f"The agent is asking you to take over its browser: {quoted(handoff.reason)}."
    if asks_with_link(context) and link is not None:
        return types.ElicitRequestURLParams(message=message, url=link, elicitation_id=handoff.id)
    message += (
        " Either do this in the browser's window, then accept. Or do it in the live view, then "
        "give control back there."
    )
    return types.ElicitRequestFormParams(message=message, requested_schema=_FORM)


def _apply(
    context: Context,
    control: Control,
    handoff_id: str,
    answer: types.ElicitResult,
    *,
    is_form: bool,
) -> None:
    """End the hand-off with the person's answer. Accepting a link only opens it, so it does not end
    the hand-off. A person in control keeps control, because somebody else may have answered in the
    client.
    """
    if all(one.id != handoff_id for one in control.waiting_handoffs):
        return  # somebody else has already answered
    name = f"The person in {_client_name(context)}"
    if answer.action == "decline":
        control.answer(handoff_id, "refused", name)
    elif answer.action == "accept" and is_form:
        control.answer(handoff_id, "done", name, _message(answer.content))


def _message(content: Mapping[str, Any] | None) -> str:
    message = (content or {}).get("message")
    return message.strip()[:LONGEST_TEXT] if isinstance(message, str) else ""


def _modes(context: Context) -> types.ElicitationCapability | None:
    """Return how the client can ask its person; None if it can't."""
    has = context.session.client_capabilities
    modes = has.elicitation if has is not None else None
    if modes is not None and modes.form is None and modes.url is None:
        return types.ElicitationCapability(form=types.FormElicitationCapability())
    return modes


def _client_name(context: Context) -> str:
    params = context.session.client_params
    return params.client_info.name[:40] if params is not None else "the chat"


def _control_of(session: Session) -> Control | None:
    browser = session.current
    if browser is None or not browser.can_hand_off:
        return None
    is_offered = ACTIONS[HANDOFF] in available(browser.config, session)
    return browser.control if is_offered else None
