"""Routes that answer what pages ask, or will: dialogs, choosers, passwords, permissions."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS
from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, NoDialog
from tabwarden.page import ActionResult
from tabwarden.page.upload import files_in
from tabwarden.policy import upload_folder
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.answers import camel_keys, json_response, outcome
from tabwarden.surfaces.http.calls import Call, Done, run, with_tab
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import TargetId, shape
from tabwarden.surfaces.http.targets import tab_named

__all__ = ["HOOKS"]

_ARMED_MS = 120_000.0
_UPLOAD = ACTIONS["browser_upload"]
_PERMISSION = ACTIONS["browser_permission"]


# -- dialogs ---------------------------------------------------------------------------------


def _answering(arguments: dict[str, Any]) -> dict[str, Any]:
    accept = arguments.pop("accept")
    return {**arguments, "action": "accept" if accept else "dismiss"}


def _dialog_of_tab(state: SupervisorSnapshot, arguments: dict[str, Any]) -> dict[str, Any]:
    """The dialog that waits in the tab that was named, when no dialog was."""
    named = arguments.pop("targetId", None)
    if named is None or arguments.get("dialog_id") is not None:
        return arguments
    tab_id = tab_named(state, named)
    waiting = [d for d in state.pending_dialogs if d.tab_id == tab_id]
    if not waiting:
        raise NoDialog(f"No dialog waits in tab {tab_id}.", "GET /dialogs lists those that do.")
    return {**arguments, "dialog_id": waiting[-1].id}


def _answered(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "closed": camel_keys(done.result.value)})


# -- file choosers ---------------------------------------------------------------------------


async def _choose(call: Call, arguments: dict[str, Any]) -> Done:
    """Give files to an element or to the chooser that waits; where none does, to the next one."""
    browser, _ = await call.session.browser(may_open=False, budget=call.budget)
    state = browser.state
    arguments = with_tab(state, arguments)
    tab_id = arguments.get("tab_id") or state.active_tab_id
    waits = any(chooser.tab_id == tab_id for chooser in state.file_choosers)
    named = any(arguments.get(at) is not None for at in ("ref", "x"))
    if waits or tab_id is None or named or not arguments["filenames"]:
        return await run(call, _UPLOAD, arguments)
    files_in(upload_folder(call.config), arguments["filenames"])
    lasts = Budget(arguments.get("timeout_ms") or _ARMED_MS)
    given = {**arguments, "tab_id": tab_id}

    async def give() -> None:
        with call.service.tasks.call(call.task, lasts, opens=False) as session:
            now = call._replace(session=session, budget=lasts, config=call.service.config)
            await run(now, _UPLOAD, given)

    call.service.arming.arm(browser, tab_id, lasts, give)
    note = (
        f"Armed: the next file chooser of {tab_id} within {lasts.timeout_ms / 1000:g} s gets "
        f"{', '.join(arguments['filenames'])}."
    )
    tab = next(tab for tab in state.tabs if tab.tab_id == tab_id)
    result = ActionResult(
        action="upload", tab_id=tab_id, url=tab.url, title=tab.title, value={"armed": True},
        note=note,
    )  # fmt: skip
    return Done(result, "", tab_id, state, state)


# -- passwords and permissions ---------------------------------------------------------------


async def _grant(call: Call, arguments: dict[str, Any]) -> Done:
    """Set each permission; optional ones that the browser does not know are passed over."""
    wanted = arguments.pop("permissions")
    optional = arguments.pop("optionalPermissions", None) or []
    granted, unknown = [], []
    for name in wanted:
        try:
            done = await run(call, _PERMISSION, {**arguments, "name": name})
        except InvalidArgument as error:
            if error.data.get("field") == "name":
                error.data["field"] = "permissions"
            raise
        granted.append(name)
    for name in optional:
        try:
            await run(call, _PERMISSION, {**arguments, "name": name})
            granted.append(name)
        except InvalidArgument:
            unknown.append(name)
    return done._replace(result=(done.result, granted, unknown))


def _granted(request: Request, done: Done) -> Response:
    _ = request
    result, granted, unknown = done.result
    body = outcome(done._replace(result=result))
    return json_response(
        {
            **body,
            "grantedPermissions": granted,
            "unsupportedPermissions": unknown,
            "value": camel_keys(result.value),
        }
    )


_NAMES = {"type": "array", "items": {"type": "string"}}

HOOKS = (
    Served(
        shape=shape(
            "POST /hooks/dialog",
            "browser_dialog",
            without=("action",),
            more={
                "accept": (Annotated[bool, Field(description="true: OK; false: Cancel.")], ...),
                "targetId": (TargetId, None),
            },
            translate=_answering,
        ),
        answer=_answered,
        aim=_dialog_of_tab,
        gives={"closed": {"type": "object", "description": "The dialog."}},
    ),
    Served(
        shape=shape(
            "POST /hooks/file-chooser",
            "browser_upload",
            names={"filenames": "paths"},
            aliases={"inputRef": "ref"},
            selectors={"element": "ref"},
        ),
        work=_choose,
        words="Give files of the upload folder to a page: to a file input, to the chooser that a "
        "click on ref or (x, y) opens, or, without these, to the chooser that waits. Where none "
        "waits the next one of the tab gets them, within timeoutMs (two minutes): the value has "
        "armed then.",
    ),
    Served(shape=shape("POST /hooks/auth", "browser_auth")),
    Served(
        shape=shape(
            "POST /permissions/grant",
            "browser_permission",
            without=("name",),
            more={
                "permissions": (
                    Annotated[
                        list[str],
                        Field(
                            description="geolocation, notifications, camera, microphone, "
                            "clipboard-read...",
                            min_length=1,
                            max_length=50,
                        ),
                    ],
                    ...,
                ),
                "optionalPermissions": (
                    Annotated[
                        list[str] | None,
                        Field(
                            description="Those that may be passed over where they are unknown.",
                            max_length=50,
                        ),
                    ],
                    None,
                ),
            },
        ),
        answer=_granted,
        work=_grant,
        gives={"grantedPermissions": _NAMES, "unsupportedPermissions": _NAMES},
    ),
)
