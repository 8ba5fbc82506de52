"""Map tools and parameters of other products to ours."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from tabwarden.hints import Next

_TOOLS = {
    "click_at": Next("mouse", mode="click", x="...", y="..."),
    "close_all": Next("close"),
    "close_page": Next("tabs", mode="close"),
    "close_tab": Next("tabs", mode="close"),
    "console_messages": Next("console"),
    "cookie_clear": Next("cookies", mode="clear"),
    "cookie_delete": Next("cookies", mode="delete", name="..."),
    "cookie_get": Next("cookies", name="..."),
    "cookie_list": Next("cookies"),
    "cookie_set": Next("cookies", mode="set", name="...", value="..."),
    "emulate_media": Next("emulate"),
    "evaluate_script": Next("evaluate", script="..."),
    "extract_content": Next("scrape"),
    "file_upload": Next("upload"),
    "fill": Next("fill_form", fields="..."),
    "get_console_message": Next("console"),
    "get_css_styles": Next("inspect", ref="...", styles="..."),
    "get_html": Next("scrape", format="html"),
    "get_network_request": Next("network", request_id="..."),
    "get_state": Next("snapshot"),
    "go_back": Next("back"),
    "go_forward": Next("forward"),
    "handle_dialog": Next("dialog", action="..."),
    "lighthouse_audit": Next("audit"),
    "list_console_messages": Next("console"),
    "list_network_requests": Next("network"),
    "list_pages": Next("tabs"),
    "list_tabs": Next("tabs"),
    "localstorage_clear": Next("storage", mode="clear"),
    "localstorage_delete": Next("storage", mode="delete", key="..."),
    "localstorage_get": Next("storage", key="..."),
    "localstorage_list": Next("storage"),
    "localstorage_set": Next("storage", mode="set", key="...", value="..."),
    "mouse_click_xy": Next("mouse", mode="click", x="...", y="..."),
    "mouse_down": Next("mouse", mode="down"),
    "mouse_drag_xy": Next("mouse", mode="drag"),
    "mouse_move_xy": Next("mouse", mode="move", x="...", y="..."),
    "mouse_up": Next("mouse", mode="up"),
    "mouse_wheel": Next("mouse", mode="wheel"),
    "navigate_back": Next("back"),
    "navigate_forward": Next("forward"),
    "navigate_page": Next("navigate", url="..."),
    "network_request": Next("network", request_id="..."),
    "network_requests": Next("network"),
    "network_state_set": Next("emulate", offline=True),
    "new_page": Next("tabs", mode="open", url="..."),
    "pdf_save": Next("pdf"),
    "performance_analyze_insight": Next("performance"),
    "performance_start_trace": Next("performance"),
    "performance_stop_trace": Next("performance", mode="stop"),
    "press_key": Next("press", key="..."),
    "resize_page": Next("resize", width="...", height="..."),
    "route_list": Next("route", mode="list"),
    "run_code": Next("batch", steps="..."),
    "run_code_unsafe": Next("batch", steps="..."),
    "select_option": Next("select", ref="...", labels="..."),
    "select_page": Next("tabs", mode="switch", tab_id="..."),
    "sessionstorage_clear": Next("storage", mode="clear", area="session"),
    "sessionstorage_delete": Next("storage", mode="delete", area="session", key="..."),
    "sessionstorage_get": Next("storage", area="session", key="..."),
    "sessionstorage_list": Next("storage", area="session"),
    "sessionstorage_set": Next("storage", mode="set", area="session", key="...", value="..."),
    "set_storage_state": Next("storage_state", mode="load", filename="..."),
    "start_tracing": Next("trace"),
    "stop_tracing": Next("trace"),
    "switch_tab": Next("tabs", mode="switch", tab_id="..."),
    "tab_close": Next("tabs", mode="close"),
    "tab_list": Next("tabs"),
    "tab_new": Next("tabs", mode="open", url="..."),
    "tab_select": Next("tabs", mode="switch", tab_id="..."),
    "take_heapsnapshot": Next("memory"),
    "take_screenshot": Next("screenshot"),
    "take_snapshot": Next("snapshot"),
    "type_text": Next("type", text="..."),
    "unroute": Next("route", mode="remove"),
    "upload_file": Next("upload"),
    "verify_element_visible": Next("wait", ref="...", state="visible"),
    "verify_text_visible": Next("wait", text="..."),
    "wait_for": Next("wait", text="..."),
}
"""Tools of Playwright MCP, chrome-devtools-mcp and browser-use, without the prefix ``browser_``,
and the equivalent calls of our tools."""

_PARAMETERS = {
    "value": ("text", "labels"),
    "values": ("labels",),
    "label": ("labels",),
    "option": ("labels",),
    "keys": ("key",),
    "expression": ("script",),
    "function": ("script",),
    "code": ("script",),
    "target": ("ref",),
    "uid": ("ref",),
    "startTarget": ("from_ref",),
    "startRef": ("from_ref",),
    "from_uid": ("from_ref",),
    "endTarget": ("to_ref",),
    "endRef": ("to_ref",),
    "to_uid": ("to_ref",),
    "paths": ("filenames",),
    "elements": ("fields",),
    "timeout": ("timeout_ms",),
    "time": ("time_s",),
    "tab": ("tab_id",),
    "index": ("tab_index",),
    "submit": ("press_enter",),
    "doubleClick": ("count",),
    "dblClick": ("count",),
    "accept": ("action",),
    "action": ("mode",),
    "type": ("format",),
    "filter": ("url",),
    "pattern": ("url",),
}
"""Parameters that models confuse with ours. They belong to a similar tool or to another product."""
_VALUES: dict[str, dict[Any, Any]] = {
    "doubleClick": {True: 2, False: 1},
    "dblClick": {True: 2, False: 1},
    "accept": {True: "accept", False: "dismiss"},
    "action": {"new": "open", "create": "open", "select": "switch"},
}
_DESCRIPTIONS = {"element": "ref", "startElement": "from_ref", "endElement": "to_ref"}
"""Parameters that contain an element's description for people in Playwright MCP, and a ref in our
tools."""
_REF = re.compile(r"@?e\d+$|(css|xpath|role|text|label|placeholder|testid)=")


def meant_tool(name: str, ours: Collection[str]) -> Next | None:
    """Return our equivalent of another product's tool; None if it is unknown."""
    plain = name.removeprefix("browser_")
    if f"browser_{plain}" in ours:
        return Next(plain)
    return _TOOLS.get(plain)


def meant_parameter(
    name: str, value: Any, fields: Collection[str]
) -> tuple[str | None, Any] | None:
    """Return our equivalent of another product's parameter, with the value that our parameter
    needs.

    Args:
        name, value: the parameter and its value, as the caller wrote them.
        fields: our parameters of the called tool.

    Returns:
        None if the parameter is unknown. The name is None if the call needs no such parameter,
        because its value is a description for people.
    """
    if name in _DESCRIPTIONS:
        ours = _DESCRIPTIONS[name]
        if ours not in fields:
            return None
        return (ours if isinstance(value, str) and _REF.match(value) else None), value
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
    meant = next((one for one in (*_PARAMETERS.get(name, ()), snake) if one in fields), None)
    if meant is None:
        return None
    values: Mapping[Any, Any] = _VALUES.get(name, {})
    return meant, values.get(value, value) if isinstance(value, str | bool) else value
