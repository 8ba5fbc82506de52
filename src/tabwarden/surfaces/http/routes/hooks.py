"""Routes that handle pages' dialogs, file choosers, and requests for passwords and permissions.
Clients can prepare some answers in advance.
"""

from __future__ import annotations

from typing import Any

from tabwarden.actions import ACTIONS, Action, Performed
from tabwarden.budget import Budget
from tabwarden.control_api import TargetId, camel_keys, outcome, tab_named, with_tab
from tabwarden.errors import InvalidArgument
from tabwarden.events import DialogOpened, FileChooserOpened
from tabwarden.page import ActionResult
from tabwarden.page.input import NoSuchUpload, files_in
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.surfaces.http.pipeline import TaskCall, action_route, optional, required

ARMED_MS = 120_000.0
"""How long prepared files wait for a file chooser, by default."""

_DIALOG = ACTIONS["browser_dialog"]
_UPLOAD = ACTIONS["browser_upload"]
_PERMISSION = ACTIONS["browser_permission"]


# -- dialogs ---------------------------------------------------------------------------------


def _answering(arguments: dict[str, Any]) -> dict[str, Any]:
    accept = arguments.pop("accept")
    return {**arguments, "action": "accept" if accept else "dismiss"}


async def _answer(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Accept or dismiss the specified dialog, or the specified tab's open dialog, or the tab's next
    dialog.
    """
    browser, _ = await call.session.browser(may_open=False, budget=call.budget)
    state, named = browser.state, arguments.pop("targetId", None)
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    here = [d for d in state.pending_dialogs if named is None or d.tab_id == tab_id]
    if here or arguments.get("dialog_id") is not None or tab_id is None:
        if named is not None and here and arguments.get("dialog_id") is None:
            arguments["dialog_id"] = here[-1].id
        return await call.run(_DIALOG, arguments)
    lasts = Budget(arguments.get("timeout_ms") or ARMED_MS)

    async def give(opened: DialogOpened) -> None:
        dialog_arguments = {**arguments, "dialog_id": opened.dialog.id}
        if opened.dialog.type != "prompt":
            dialog_arguments.pop("prompt_text", None)
        await _late(call, lasts, _DIALOG, dialog_arguments)

    call.service.arming.arm(browser, tab_id, DialogOpened, lasts, give)
    opens = f"a dialog within {lasts.timeout_ms / 1000:g} s, the answer is {arguments['action']}"
    return _armed("dialog", state, tab_id, opens)


def _answered(done: Performed) -> dict[str, Any]:
    if done.result.value == {"armed": True}:
        return {**outcome(done), "armed": True}
    return {**outcome(done), "closed": camel_keys(done.result.value)}


# -- file choosers ---------------------------------------------------------------------------


async def _choose(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    try:
        return await _give_files(call, arguments)
    except NoSuchUpload as error:
        error.hint += " To upload a file, send PUT /files/uploads/NAME."
        raise


async def _give_files(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Set the files of an element, of the open file chooser, or of the next chooser that opens."""
    browser, _ = await call.session.browser(may_open=False, budget=call.budget)
    state = browser.state
    arguments = with_tab(state, arguments)
    tab_id = arguments.get("tab_id") or state.active_tab_id
    waits = any(chooser.tab_id == tab_id for chooser in state.file_choosers)
    named = any(arguments.get(at) is not None for at in ("ref", "x"))
    if waits or tab_id is None or named or not arguments["filenames"]:
        return await call.run(_UPLOAD, arguments)
    files_in(browser.upload_folders, arguments["filenames"], takes_folders=True)
    lasts = Budget(arguments.get("timeout_ms") or ARMED_MS)
    upload_arguments = {**arguments, "tab_id": tab_id}

    async def give(_: FileChooserOpened) -> None:
        await _late(call, lasts, _UPLOAD, upload_arguments)

    call.service.arming.arm(browser, tab_id, FileChooserOpened, lasts, give)
    files = ", ".join(arguments["filenames"])
    within = f"{lasts.timeout_ms / 1000:g} s"
    opens = f"a file chooser within {within}, the chooser gets {files}"
    return _armed("upload", state, tab_id, opens)


async def _late(call: TaskCall, lasts: Budget, action: Action, arguments: dict[str, Any]) -> None:
    """Run an action after the request that prepared the action has finished."""
    with call.service.tasks.call(call.task, lasts, opens=False) as session:
        now = call._replace(session=session, budget=lasts, config=call.service.config)
        await now.run(action, arguments)


def _armed(action: str, state: SupervisorSnapshot, tab_id: str, opens: str) -> Performed:
    tab = next(tab for tab in state.tabs if tab.tab_id == tab_id)
    about: dict[str, Any] = {"tab_id": tab_id, "url": tab.url, "title": tab.title}
    note = f"The answer will be used if tab {tab_id} opens {opens}."
    result = ActionResult(action=action, **about, value={"armed": True}, note=note)
    return Performed(result, "", {"tab_id": tab_id}, state, state)


# -- passwords and permissions ---------------------------------------------------------------


async def _grant(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Set each permission. Skip optional permissions that the browser does not know."""
    wanted = arguments.pop("permissions")
    optional = arguments.pop("optionalPermissions", None) or []
    granted, unknown = [], []
    for name in wanted:
        try:
            done = await call.run(_PERMISSION, {**arguments, "name": name})
        except InvalidArgument as error:
            if error.data.get("field") == "name":
                error.data["field"] = "permissions"
            raise
        granted.append(name)
    for name in optional:
        try:
            await call.run(_PERMISSION, {**arguments, "name": name})
            granted.append(name)
        except InvalidArgument:
            unknown.append(name)
    return done._replace(result=(done.result, granted, unknown))


def _granted(done: Performed) -> dict[str, Any]:
    result, granted, unknown = done.result
    return {
        **outcome(done._replace(result=result)),
        "grantedPermissions": granted,
        "unsupportedPermissions": unknown,
        "value": camel_keys(result.value),
    }


_NAMES = {"type": "array", "items": {"type": "string"}}

HOOKS = (
    action_route(
        "POST /hooks/dialog",
        "browser_dialog",
        without=("action", "tab_id"),
        more={
            "accept": required(bool, "true for OK, false for Cancel."),
            "targetId": (TargetId, None),
        },
        translate=_answering,
        body=_answered,
        work=_answer,
        words="Answer the dialog whose ID is `dialogId` (default: the waiting dialog). If no "
        "dialog is waiting, the answer is prepared for the next dialog that the tab opens "
        "within `timeoutMs` (default: two minutes), and `armed` is true.",
        gives={
            "closed": {"type": "object", "description": "The dialog."},
            "armed": {"type": "boolean"},
        },
    ),
    action_route(
        "POST /hooks/file-chooser",
        "browser_upload",
        names={"filenames": "paths"},
        aliases={"inputRef": "ref"},
        selectors={"element": "ref"},
        work=_choose,
        words="Give files from the upload folder to a page: to a file input, or to the chooser "
        "that opens when `ref` or the point (`x`, `y`) is clicked. Without `ref`, `x` and `y`, "
        "the open chooser gets the files. If no chooser is open, the files are prepared for the "
        "next chooser that the tab opens within `timeoutMs` (default: two minutes), and "
        "`value.armed` is true.",
    ),
    action_route("POST /hooks/auth", "browser_auth"),
    action_route("POST /hooks/choose", "browser_choose"),
    action_route(
        "POST /permissions/grant",
        "browser_permission",
        without=("name",),
        more={
            "permissions": required(
                list[str],
                "The permissions: geolocation, notifications, camera, microphone, "
                "clipboard-read...",
                min_length=1,
                max_length=50,
            ),
            "optionalPermissions": optional(
                list[str],
                "Additional permissions, which are skipped if the browser does not know them.",
                max_length=50,
            ),
        },
        body=_granted,
        work=_grant,
        gives={"grantedPermissions": _NAMES, "unsupportedPermissions": _NAMES},
    ),
)
