"""Routes for the agent's operator: who has control of a task, and the hand-offs to people.

No route gives control to anyone: only the live view does, to a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.control_api import camel_keys, form
from tabwarden.errors import NotOpen
from tabwarden.page.control import Control, control_json, handoff_json
from tabwarden.surfaces.http.pipeline import json_response, service_of, task_of
from tabwarden.surfaces.http.routes.status import StatusRoute

_OBJECTS = {"type": "array", "items": {"type": "object"}}
_CONTROL: Mapping[str, Any] = {
    "task": {"type": "string"},
    "holder": {
        "anyOf": [{"type": "object"}, {"type": "null"}],
        "description": "The person who has control, as {name, since}; null: the agent has it.",
    },
    "waitingHandoffs": _OBJECTS,
    "endedHandoffs": _OBJECTS,
}
_MESSAGE = Annotated[str, Field(description="What the person writes to the agent.", max_length=500)]


async def _control(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    return _told(task_of(request), _control_of(request))


async def _release(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    control = _open_control(request)
    control.release("operator")
    return _told(task_of(request), control)


async def _handoffs(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    waiting = [
        {"task": name, **camel_keys(handoff_json(one))}
        for name, session in service_of(request).tasks.open_sessions().items()
        if (browser := session.current) is not None and browser.can_hand_off
        for one in browser.control.waiting_handoffs
    ]
    return json_response({"ok": True, "handoffs": waiting})


async def _answer(request: Request, given: dict[str, Any]) -> Response:
    control = _open_control(request)
    control.answer(given["id"], given["outcome"], given["name"], given.get("message", ""))
    return _told(task_of(request), control)


def _told(task: str, control: Control | None) -> Response:
    told = control_json(control.lease if control is not None else None)
    return json_response({"ok": True, "task": task, **camel_keys(told)})


def _control_of(request: Request) -> Control | None:
    session = service_of(request).tasks.session(task_of(request))
    browser = session.current if session is not None else None
    return browser.control if browser is not None and browser.can_hand_off else None


def _open_control(request: Request) -> Control:
    control = _control_of(request)
    if control is None:
        raise NotOpen(f"Task {task_of(request)} has no browser.", "POST /start opens one.")
    return control


CONTROL = (
    StatusRoute(
        form=form("GET /control"),
        needs="read",
        words="Who has control of the task's browser, the agent or a person, and the agent's "
        "hand-offs: those that wait and the last that ended.",
        serve=_control,
        gives=_CONTROL,
    ),
    StatusRoute(
        form=form("POST /control/release"),
        needs="operator",
        words="Take control back from a person and give it to the agent.",
        serve=_release,
        gives=_CONTROL,
    ),
    StatusRoute(
        form=form("GET /handoffs"),
        needs="read",
        words="The hand-offs that wait for a person, of all tasks.",
        serve=_handoffs,
        gives={"handoffs": _OBJECTS},
    ),
    StatusRoute(
        form=form(
            "POST /handoffs/answer",
            id=(Annotated[str, Field(description="Such as h-1.")], ...),
            outcome=(
                Annotated[Literal["done", "refused"], Field(description="How it ended.")],
                ...,
            ),
            name=(Annotated[str, Field(description="The person's name.", max_length=80)], ...),
            message=(_MESSAGE, ""),
        ),
        needs="operator",
        words="End a hand-off for a person who used no live view.",
        serve=_answer,
        gives=_CONTROL,
    ),
)
"""Routes about control. The server's token is the operator's, and people come by the live view."""
