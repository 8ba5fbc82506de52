#!/bin/sh
# A tab whose host name has an underscore, or a tab with a data: URL, ends an agent's run without a word why.
#
# Versions: PyPI openai 3.57.0
# Seen: a click, by the URL of a tab, without and with the optional report of changes (`observation`).
#     http://shop.example/   clicked                                 clicked
#     http://my_host/        clicked                                 RuntimeError: Browser state report failed.
#     data:text/html,x       clicked                                 RuntimeError: Browser state report failed.
#     about:srcdoc           clicked                                 RuntimeError: Browser state report failed.
# Why it is surprising: The page chooses the URL of a tab, and the driver only reports it. Chromium opens such
#     pages: Docker Compose makes names with underscores, and many tests use data: URLs. The error has no cause
#     and does not name the URL, and it is raised for the whole run, not for one call. A driver that adds the
#     optional `observation` thereby breaks on pages that worked before.
# Measured: 2026-11-30
set -eu
. "$(dirname "$0")/prepare.sh"
pypi openai==3.57.0
python - <<'PY'
from openai.lib.browser import BrowserToolset
from openai.types.responses import ResponseFunctionToolCall

URLS = ("http://shop.example/", "http://my_host/", "data:text/html,x", "about:srcdoc")
OBSERVATION = {"version": 1, "sequence": 0, "dropped_changes": 0, "title_truncated": False, "changes": []}
CALL = ResponseFunctionToolCall(
    type="function_call", call_id="1", name="browser_click", arguments='{"target": "1", "tab_id": null}'
)


class Driver:
    def __init__(self, url, observes):
        tab = {"id": "1", "title": "", "url": url, "active": True}
        self.report = {"tabs": [tab]} | ({"observation": OBSERVATION} if observes else {})

    def state(self):
        return self.report

    def click(self, action):
        return "clicked"


def click(url, observes):
    toolset = BrowserToolset(Driver(url, observes), members=["click"], confirm=lambda context: True)
    try:
        return "clicked" if '"ok": true' in toolset.execute(CALL)["output"][0]["text"] else "refused"
    except RuntimeError as error:
        assert error.__cause__ is None
        return f"RuntimeError: {error}"


seen = {(url, observes): click(url, observes) for url in URLS for observes in (False, True)}
for url in URLS:
    print(f"{url:22} {seen[url, False]:39} {seen[url, True]}")
assert all(seen[url, False] == "clicked" for url in URLS)
assert [seen[url, True] == "clicked" for url in URLS] == [True, False, False, False]
PY
