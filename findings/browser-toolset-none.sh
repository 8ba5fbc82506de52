#!/bin/sh
# A browser driver that has nothing to report makes the model read the word "None".
#
# Versions: PyPI anthropic 2.14.0
# Seen: what the model reads of two members.
#     read_page, by what the driver returned:
#         ''     '(empty)'
#         None   'None'
#         ['a']  "['a']"
#     left_click, by what the driver returned:
#         ''     'Clicked.'
#         None   'Clicked.'
#         ['a']  'Clicked.'
# Why it is surprising: In Python, None is how a function says that it has no result, and the actions of the
#     same class return it for that. A read that forgets its `return`, or whose page has no text, is not an
#     error and not "(empty)": the SDK calls str() on the result, so the model reads "None" as the page's text.
#     Other types are sent as Python's notation for them, too.
# Measured: 2026-11-30
set -eu
. "$(dirname "$0")/prepare.sh"
pypi anthropic==2.14.0
python - <<'PY'
from anthropic.tools.browser import BetaAbstractBrowserToolset20260801, BetaBrowserState
from anthropic.types.beta import BetaToolUseBlock

RESULTS = ("", None, ["a"])
INPUTS = {"read_page": {}, "left_click": {"target": {"type": "ref", "ref": "ref_1"}}}


class Driver(BetaAbstractBrowserToolset20260801):
    result = None

    def execute(self, context, name, input):
        return self.result

    def _browser_state(self, context):
        return BetaBrowserState(tabs=[], state_changes=[])


def read(member, result):
    driver = Driver()
    driver.result = result
    block = BetaToolUseBlock(type="tool_use", id="1", name=member, input=INPUTS[member], toolset_name="browser")
    content = driver.tool_result(block)["content"]
    return [part["text"] for part in content if part["type"] == "text"]


seen = {(member, str(result)): read(member, result) for member in INPUTS for result in RESULTS}
for member in INPUTS:
    print(f"{member}, by what the driver returned:")
    for result in RESULTS:
        print(f"    {result!r:6} {' '.join(map(repr, seen[member, str(result)]))}")
assert seen["read_page", ""] == ["(empty)"]
assert seen["read_page", "None"] == ["None"]
assert seen["read_page", "['a']"] == ["['a']"]
assert all(seen["left_click", str(result)] == ["Clicked."] for result in RESULTS)
PY
