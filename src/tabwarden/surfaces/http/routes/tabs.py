"""Routes for tabs."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api import checked_label, closing, outcome, tab_named, tabs_json
from tabwarden.errors import InvalidArgument
from tabwarden.page import ActionResult
from tabwarden.surfaces.http.pipeline import (
    TaskCall,
    action_route,
    json_response,
    labels_of,
    optional,
    required,
)

_NAMED_TAB = {
    "targetId": required(
        str, "The tab: its label, its id (t1), its target id, or a prefix of its target id."
    )
}
_TABS = ACTIONS["browser_tabs"]
_OTHERS = ("tab_index", "url")
_GIVES = {"tabs": {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}}}


async def _tabs(request: Request, done: Performed) -> Response:
    return json_response({**outcome(done), "tabs": tabs_json(done.state, labels_of(request))})


async def _opened(request: Request, done: Performed) -> Response:
    """Add the new tab's name in the field in which clients of similar APIs expect it."""
    tabs = tabs_json(done.state, labels_of(request))
    fresh: dict[str, Any] = next((tab for tab in tabs if tab["tabId"] == done.result.tab_id), {})
    named: dict[str, Any] = {
        key: fresh[key] for key in ("suggestedTargetId", "label") if key in fresh
    }
    return json_response({**outcome(done), **named, "tabs": tabs})


async def _closed(request: Request, done: Performed) -> Response:
    return json_response({**closing(done), "tabs": tabs_json(done.state, labels_of(request))})


async def _open(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Open a tab, and assign the client's label to the tab."""
    label, labels, before = arguments.pop("label", None), call.service.labels, call.session.current
    if label is not None:
        state = before.state if before is not None else None
        label = checked_label(label, state, labels.of(before))
    done = await call.run(_TABS, arguments)
    now = call.session.current
    if label is not None and now is not None and done.result.tab_id is not None:
        labels.give(now, done.result.tab_id, label)
    return done


async def _tab_action(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """List, open, name, close or switch tabs, with the request format of a command-line client."""
    wanted, index = arguments.pop("action"), arguments.pop("index", None)
    label = arguments.pop("label", None)
    if wanted == "new":
        return await _open(call, {**arguments, "mode": "open", "label": label})
    if wanted == "list" and call.session.current is None:
        return Performed(ActionResult(action="tabs"), "", {}, None, None)
    call = call._replace(opens=False)
    if wanted == "list":
        return await call.run(_TABS, {"mode": "list"})
    if wanted == "label":
        return await _name_tab(call, arguments.get("tab_id"), label)
    if wanted == "select" and index is None:
        raise InvalidArgument(
            "index is required.", "Send the tab's index, which starts at 0.", field="index"
        )
    mode = {"select": "switch", "close": "close"}[wanted]
    return await call.run(_TABS, {"mode": mode, "tab_index": index})


async def _name_tab(call: TaskCall, named: str | None, label: str | None) -> Performed:
    if named is None or label is None:
        field = "targetId" if named is None else "label"
        raise InvalidArgument(
            f"{field} is required.", f"Send `{field}` with the request.", field=field
        )
    browser, _ = await call.session.browser(may_open=False, budget=call.budget)
    labels, tab_id = call.service.labels, tab_named(browser.state, named)
    labels.give(browser, tab_id, checked_label(label, browser.state, labels.of(browser)))
    done = await call.run(_TABS, {"mode": "list"})
    return done._replace(result=msgspec.structs.replace(done.result, tab_id=tab_id))


async def _acted_on(request: Request, done: Performed) -> Response:
    tabs = tabs_json(done.state, labels_of(request))
    mine = next((tab for tab in tabs if tab["tabId"] == done.result.tab_id), None)
    return json_response({**outcome(done), **({"tab": mine} if mine else {}), "tabs": tabs})


TABS = (
    action_route(
        "POST /tabs/action",
        "browser_tabs",
        without=("mode", *_OTHERS),
        more={
            "action": required(
                Literal["list", "new", "label", "select", "close"], "The operation."
            ),
            "index": optional(
                int, "For select and close: the tab's index, which starts at 0.", ge=0
            ),
            "label": optional(str, "For new and label: the tab's label."),
        },
        answer=_acted_on,
        work=_tab_action,
        words="Perform a tab operation: list, new, label (requires `targetId`), select "
        "(requires `index`), or close (`index`; default: the active tab).",
        gives=_GIVES | {"tab": {"$ref": "#/components/schemas/Tab"}},
    ),
    action_route(
        "POST /tabs/open",
        "browser_tabs",
        without=("tab_index", "tab_id"),
        more={
            "label": optional(
                str, "A name for the tab, which later requests can send as `targetId`."
            )
        },
        mode="open",
        answer=_opened,
        work=_open,
        words="Open a tab, and go to `url` if it is set. If no browser is open, one is opened "
        "first.",
        gives=_GIVES,
    ),
    action_route(
        "POST /tabs/focus",
        "browser_tabs",
        without=_OTHERS,
        more=_NAMED_TAB,
        mode="switch",
        answer=_tabs,
        words="Make a tab active. Requests without a tab use the active tab.",
        gives=_GIVES,
        opens=False,
    ),
    action_route(
        "DELETE /tabs/{targetId}",
        "browser_tabs",
        without=_OTHERS,
        more=_NAMED_TAB,
        mode="close",
        answer=_closed,
        words="Close a tab. If the page opens a beforeunload dialog, the dialog interrupts the "
        "request.",
        gives=_GIVES,
        opens=False,
    ),
)
