"""Features that tests need and Tabwarden's API does not have, by category."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

CATEGORIES = {
    "requests": "intercepts requests, sends its own, or reads headers (route, HAR, fetch, sockets)",
    "handles": "keeps a JavaScript value of the page in a handle",
    "selectors": "uses a selector of Playwright's own (engines, chains, filters)",
    "raw input": "sends half of an input (key down, mouse up), or an event without input",
    "options": "needs an option of an action (force, position, delay, trial, ...)",
    "scripts": "adds a script beside the page's own (init scripts, exposed functions, workers)",
    "waits": "waits for a condition in JavaScript, or until an element hides",
    "elements": "asks for a property of an element that the API does not tell",
    "assertions": "tests Playwright's assertions, whose retries the adapter would have to write",
    "contexts": "needs an option of a launch or a context",
    "recording": "records or replays (tracing, video, screencast, clock, coverage)",
    "events": "listens to an event that the API does not report",
    "playwright": "tests Playwright's own client or server (connections, objects, errors)",
}
"""The categories of tests that the adapter can't express, and what they mean."""

_BY_WORD = {
    "requests": "route route_from_har unroute unroute_all request request_gc expect_request "
    "expect_response expect_request_finished route_web_socket expect_websocket requests fetch "
    "all_headers headers header_value header_values body json text finished server_addr "
    "security_details timing sizes post_data post_data_buffer post_data_json redirected_from "
    "redirected_to failure set_extra_http_headers_all from_service_worker http_version response",
    "handles": "evaluate_handle json_value get_property get_properties as_element dispose "
    "query_selector_handle owner_frame content_frame frame_element args",
    "selectors": "register set_test_id_attribute filter and_ or_ frame_locator "
    "aria_snapshot highlight normalize eval_on_selector_all query_selector_all_in",
    "raw input": "dispatch_event tap down up touchscreen select_text focus blur clear_focus",
    "scripts": "add_init_script add_script_tag add_style_tag expose_function expose_binding "
    "set_content_options workers service_workers background_pages add_locator_handler "
    "remove_locator_handler",
    "waits": "wait_for_function wait_for_element_state",
    "elements": "scroll_into_view_if_needed bounding_box is_editable",
    "recording": "tracing video screencast clock coverage start_tracing stop_tracing "
    "pause debugger",
    "contexts": "launch_persistent_context new_cdp_session new_browser_cdp_session "
    "set_http_credentials credentials bring_to_front",
    "playwright": "connect connect_over_cdp stop executable_path version browser_type "
    "remove_listener listeners page_errors console_messages",
}
_CATEGORY = {word: category for category, words in _BY_WORD.items() for word in words.split()}
_FILES = {
    "assertions": "assertions expect_misc",
    "contexts": "browsercontext_client_certificates browsercontext_credentials "
    "browsercontext_service_worker_policy defaultbrowsercontext extension headful",
    "handles": "jshandle",
    "playwright": "asyncio browser browsertype_connect browsertype_connect_cdp context_manager "
    "device_descriptors launcher listeners",
    "raw input": "dispatch_event tap",
    "recording": "chromium_tracing debugger page_clock screencast tracing video",
    "requests": "browsercontext_request_fallback browsercontext_request_intercept "
    "browsercontext_route fetch_browser_context fetch_global har page_request_fallback "
    "page_request_gc page_request_intercept page_route request_continue request_fulfill "
    "request_intercept resource_timing route_web_socket unroute_behavior websocket",
    "scripts": "add_init_script page_add_locator_handler worker",
    "selectors": "page_aria_snapshot selector_generator",
    "waits": "element_handle_wait_for_element_state wait_for_function",
}
FILES = {f"test_{file}": kind for kind, files in _FILES.items() for file in files.split()}
"""Files whose tests are all about one feature that the API does not have."""
reached: list[tuple[str, str]] = []
"""The missing features that the running test has needed so far, as (category, feature). The plugin
empties this list."""


def outside(category: str, what: str) -> NoReturn:
    """End the test: the adapter can't express it."""
    assert category in CATEGORIES, category
    reached.append((category, what))
    pytest.skip(f"not expressible: {category}: {what}")


FREE = frozenset({"no_wait_after", "strict", "timeout"})
"""Options that change nothing here, or that each method reads itself."""


def only_known(where: str, options: dict[str, Any]) -> None:
    """End the test if it passes an option that the API does not have."""
    given = sorted(name for name, value in options.items() if value not in (None, False, 0, ""))
    if given:
        outside("options", f"{where}({', '.join(given)}=)")


class Shim:
    """An object whose other attributes are not expressible."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        outside(_CATEGORY.get(name, "playwright"), f"{type(self).__name__}.{name}")
