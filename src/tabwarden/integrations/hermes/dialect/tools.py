"""The tools: the registry action that each tool calls, and the JSON of its result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tabwarden.actions import ACTIONS, Form, Session
from tabwarden.integrations.dialect import Fields, form
from tabwarden.integrations.hermes.dialect import fields as f
from tabwarden.integrations.hermes.dialect import results
from tabwarden.integrations.hermes.dialect.masking import masked_cdp
from tabwarden.integrations.hermes.dialect.values import runtime_value

_SNAPSHOT_CHARS = 15_000
"""The length limit of snapshots in Hermes Agent."""
_SCROLL_PX = 500
_DEBUG_URL = "http://127.0.0.1:9222"
"""The default address of Hermes Agent's ``/browser connect``."""
CDP_DOCS = "https://chromedevtools.github.io/devtools-protocol/"
_IMAGES = """\
() => Array.from(document.images, image => ({
  src: image.src, alt: image.alt, width: image.naturalWidth, height: image.naturalHeight,
})).filter(image => image.src && !image.src.startsWith("data:"))"""

Given = Mapping[str, Any]
Json = dict[str, Any]


class ActionCall(NamedTuple):
    tool: str
    arguments: Json


class HermesTool(NamedTuple):
    form: Form
    about: str
    needs: tuple[str, ...]
    """The registry tools that this tool uses."""
    plan: Callable[[Given, Session], ActionCall]
    shape: Callable[[Given, Json, Session], Json]
    """Returns the fields of the tool's result. Accepts the call's fields, the action's result as
    JSON, and the session.
    """
    gives: type
    """The type of the tool's result."""
    read_only: bool = False


TOOLS: dict[str, HermesTool] = {}
"""The tools by name, in display order."""


def _tool(
    name: str,
    fields: type[Fields],
    about: str,
    plan: Callable[[Given, Session], ActionCall],
    shape: Callable[[Given, Json, Session], Json],
    gives: type,
    *,
    needs: tuple[str, ...] | None = None,
    read_only: bool = False,
) -> None:
    made = HermesTool(form(name, fields), about, needs or (name,), plan, shape, gives, read_only)
    TOOLS[name] = made


def _ref(fields: Given) -> str:
    return str(fields["ref"]).removeprefix("@")


def snapshot_step(fields: Given) -> ActionCall:
    """Return the call for the snapshot that the model reads."""
    arguments: Json = {"full": True} if fields.get("full") else {"max_chars": _SNAPSHOT_CHARS}
    if fields.get("more"):
        arguments["more"] = fields["more"]
    return ActionCall("browser_snapshot", arguments)


def snapshot_json(result: Json, session: Session) -> Json:
    """Return a snapshot's fields. Omit the fields about dialogs if the browser does not support
    handling dialogs.
    """
    fields: Json = {"snapshot": result["text"], "element_count": len(result["refs"])}
    if "dialogs" not in session.lacks and "pending_dialogs" in result:
        fields["pending_dialogs"] = result["pending_dialogs"]
        fields["frame_tree"] = result["frame_tree"]
        if result["recent_dialogs"]:
            fields["recent_dialogs"] = result["recent_dialogs"]
    return fields


# -- calls -----------------------------------------------------------------------------------


def _answering(fields: Given, session: Session) -> ActionCall:
    """Return the call that accepts or dismisses a dialog. Only a prompt gets text, by default empty
    text.
    """
    arguments = {name: fields[name] for name in ("action", "dialog_id") if fields.get(name)}
    now = session.current
    waiting = now.state.pending_dialogs if now is not None else ()
    named = [d for d in waiting if fields.get("dialog_id") in (None, d.id)]
    if fields["action"] == "accept" and len(named) == 1 and named[0].type == "prompt":
        arguments["prompt_text"] = fields.get("prompt_text") or ""
    return ActionCall("browser_dialog", arguments)


def _looking(fields: Given, session: Session) -> ActionCall:
    if fields.get("expression") is not None:
        return ActionCall("browser_evaluate", {"script": fields["expression"]})
    return ActionCall("browser_console", {"clear": fields.get("clear", False)})


def _commanding(fields: Given, session: Session) -> ActionCall:
    names = ("method", "params", "target_id", "frame_id")
    return ActionCall("browser_cdp", {name: fields[name] for name in names if fields.get(name)})


def _connecting(fields: Given, session: Session) -> ActionCall:
    """Return the call that connects. Without a URL, the call looks for a browser."""
    takes_no_url = "url" not in ACTIONS["browser_connect"].schema().get("required", ())
    default: Json = {} if takes_no_url else {"url": _DEBUG_URL}
    return ActionCall("browser_connect", {"url": fields["url"]} if fields.get("url") else default)


# -- answers ---------------------------------------------------------------------------------


def _looked(fields: Given, result: Json, session: Session) -> Json:
    if fields.get("expression") is not None:
        value = _parsed(runtime_value(result["value"]).value)
        return {"result": value, "result_type": type(value).__name__}
    messages = result["value"] or ()
    thrown = [one for one in messages if one["source"] == "exception"]
    logged = [one for one in messages if one["source"] == "console"]
    return {
        "console_messages": [
            {"type": _TYPES.get(one["level"], one["level"]), "text": one["text"],
             "source": "console"}
            for one in logged
        ],
        "js_errors": [{"message": one["text"], "source": "exception"} for one in thrown],
        "total_messages": len(logged),
        "total_errors": len(thrown),
    }  # fmt: skip


_TYPES = {"info": "log"}


def _no_json(word: str) -> None:
    """Reject ``Infinity`` and ``NaN``, which JSON can't represent."""
    raise ValueError(word)


def _parsed(value: Any) -> Any:
    """Parse a value if it is JSON text. Return any other value unchanged."""
    if isinstance(value, str):
        try:
            return json.loads(value, parse_constant=_no_json)
        except ValueError:
            return value
    return value


def _commanded(fields: Given, result: Json, session: Session) -> Json:
    method = fields["method"]
    answer: Json = {"method": method, "result": masked_cdp(method, result["value"])}
    if fields.get("frame_id"):
        answer["frame_id"] = fields["frame_id"]
        now = session.current
        sessions = now.state.sessions.values() if now is not None else ()
        # A frame with its own session is a target with the same id.
        answer["session_id"] = next(
            (s.session_id for s in sessions if s.target_id == fields["frame_id"]), None
        )
    elif fields.get("target_id"):
        answer["target_id"] = fields["target_id"]
    return answer


_tool(
    "browser_navigate", f.NavigateFields,
    "Open a URL, and a browser if needed. Returns a snapshot of the page with refs.",
    lambda fields, session: ActionCall("browser_navigate", {"url": fields["url"]}),
    lambda fields, result, session: {
        "url": result["url"], "title": result["title"], "tab_id": result["tab_id"],
    },
    results.Navigated,
)  # fmt: skip
_tool(
    "browser_snapshot", f.SnapshotFields,
    "Read the page as an outline with refs (e5) for browser_click and browser_type, dialogs "
        "to answer with browser_dialog, and frames. browser_navigate already returns a snapshot.",
    lambda fields, session: snapshot_step(fields),
    lambda fields, result, session: snapshot_json(result, session),
    results.Read,
    read_only=True,
)  # fmt: skip
_tool(
    "browser_click", f.ClickFields,
    "Click an element by its ref.",
    lambda fields, session: ActionCall("browser_click", {"ref": _ref(fields)}),
    lambda fields, result, session: {"clicked": f"@{_ref(fields)}"},
    results.Clicked,
)  # fmt: skip
_tool(
    "browser_type", f.TypeFields,
    "Type into a field by its ref, replacing its text.",
    lambda fields, session: ActionCall(
        "browser_type", {"ref": _ref(fields), "text": fields["text"], "clear": True}
    ),
    lambda fields, result, session: {"typed": fields["text"], "element": f"@{_ref(fields)}"},
    results.Typed,
)  # fmt: skip
_tool(
    "browser_scroll", f.ScrollFields,
    f"Scroll the page by {_SCROLL_PX} pixels.",
    lambda fields, session: ActionCall(
        "browser_scroll", {"direction": fields["direction"], "amount": _SCROLL_PX}
    ),
    lambda fields, result, session: {"scrolled": fields["direction"]},
    results.Scrolled,
)  # fmt: skip
_tool(
    "browser_back", f.TabFields,
    "Go back to the previous page.",
    lambda fields, session: ActionCall("browser_back", {}),
    lambda fields, result, session: {"url": result["url"]},
    results.WentBack,
)  # fmt: skip
_tool(
    "browser_press", f.PressFields,
    "Press a key: Enter submits a form, Tab moves to the next field.",
    lambda fields, session: ActionCall("browser_press", {"key": fields["key"]}),
    lambda fields, result, session: {"pressed": fields["key"]},
    results.Pressed,
)  # fmt: skip
_tool(
    "browser_console", f.ConsoleFields,
    "Read the page's console messages and uncaught errors. With expression: run JavaScript "
        "in the page and get its value.",
    _looking,
    _looked,
    results.Looked,
)  # fmt: skip
_tool(
    "browser_get_images", f.TabFields,
    "List the page's images: src, alt, width, height.",
    lambda fields, session: ActionCall(
        "browser_evaluate", {"script": _IMAGES, "world": "isolated"}
    ),
    lambda fields, result, session: {
        "images": result["value"] or [],
        "count": len(result["value"] or []),
    },
    results.Images,
    needs=("browser_evaluate",),
    read_only=True,
)  # fmt: skip
_tool(
    "browser_vision", f.VisionFields,
    "Look at a screenshot of the page, for details that the outline lacks.",
    lambda fields, session: ActionCall(
        "browser_screenshot", {"annotate": fields.get("annotate", False)}
    ),
    lambda fields, result, session: {
        "question": fields["question"],
        "width": result["width"], "height": result["height"],
    },
    results.Seen,
    needs=("browser_screenshot",),
    read_only=True,
)  # fmt: skip
_tool(
    "browser_connect", f.ConnectFields,
    "Switch to a browser that is already running, such as the user's own Chrome.",
    _connecting,
    lambda fields, result, session: {"connected": True},
    results.Attached,
)  # fmt: skip
_tool(
    "browser_disconnect", f.NoFields,
    "Disconnect from the browser that browser_connect connected to. That browser keeps running.",
    lambda fields, session: ActionCall("browser_disconnect", {}),
    lambda fields, result, session: {"connected": False},
    results.Attached,
)  # fmt: skip
_tool(
    "browser_dialog", f.DialogFields,
    "Answer a JavaScript dialog (alert, confirm, prompt, beforeunload) that blocks the page: see "
    "pending_dialogs in browser_snapshot.",
    _answering,
    lambda fields, result, session: {"action": fields["action"], "dialog": result["value"] or {}},
    results.Answered,
)  # fmt: skip
_tool(
    "browser_cdp", f.CdpFields,
    "Send one raw Chrome DevTools Protocol command, to the browser, a tab or a frame.",
    _commanding,
    _commanded,
    results.Commanded,
)  # fmt: skip
