"""Resources: the browser's state, and the last screenshot."""

from __future__ import annotations

import base64
import json
from typing import Any

import mcp_types as types
import msgspec
from mcp import MCPError

from tabwarden.actions import Session
from tabwarden.page import Screenshot
from tabwarden.page.task import dialog_json, download_json, tab_json
from tabwarden.supervisor.core.prompts import prompts_json

STATE = "tabwarden://state"
SCREENSHOT = "tabwarden://screenshot"

RESOURCES = (
    types.Resource(
        uri=STATE,
        name="state",
        title="Browser state",
        description="As JSON: tabs, health, and the dialogs and prompts that wait for an answer. "
        "Then as text: the state line that ends every result.",
        mime_type="application/json",
    ),
    types.Resource(
        uri=SCREENSHOT,
        name="screenshot",
        title="The last screenshot",
        description="The last picture that browser_screenshot took, if any.",
    ),
)


def state_of(session: Session) -> dict[str, Any]:
    """Return the state of a session's browser as JSON. Don't wait, even if a page hangs."""
    browser = session.current
    if browser is None:
        return {"open": False, "message": ""}
    state = browser.state
    return {
        "open": True,
        "message": browser.state_message(),
        "health": msgspec.to_builtins(state.health),
        "tabs": [tab_json(tab, active=tab.tab_id == state.active_tab_id) for tab in state.tabs],
        "pending_dialogs": [dialog_json(dialog) for dialog in state.pending_dialogs],
        **prompts_json(one for _, one in state.each()),
        "downloads": [download_json(download) for download in state.downloads],
    }


def read(uri: str, session: Session, picture: Screenshot | None) -> types.ReadResourceResult:
    """Return a resource's contents. Raise MCPError for an unknown resource or missing content."""
    contents: list[types.TextResourceContents | types.BlobResourceContents]
    if uri == STATE:
        state = state_of(session)
        text = json.dumps(state, ensure_ascii=False)
        line = state["message"] or "[Browser: not open]"
        contents = [
            types.TextResourceContents(uri=uri, mime_type="application/json", text=text),
            types.TextResourceContents(uri=uri, mime_type="text/plain", text=line),
        ]
    elif uri == SCREENSHOT and picture is not None:
        blob = base64.b64encode(picture.data).decode("ascii")
        contents = [types.BlobResourceContents(uri=uri, mime_type=picture.media_type, blob=blob)]
    elif uri == SCREENSHOT:
        raise MCPError(
            types.INVALID_PARAMS,
            "No screenshot has been taken yet: browser_screenshot takes one.",
            {"uri": uri},
        )
    else:
        listed = ", ".join(str(resource.uri) for resource in RESOURCES)
        raise MCPError(
            types.INVALID_PARAMS,
            f"There is no resource {uri[:200]!r}. Resources: {listed}.",
            {"uri": uri[:200]},
        )
    return types.ReadResourceResult(contents=contents)
