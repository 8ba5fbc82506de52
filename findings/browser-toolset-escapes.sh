#!/bin/sh
# A page's text in Chinese or Russian reaches the model as escapes, six characters for each.
#
# Versions: PyPI openai 3.57.0
# Seen: characters that the model reads of `browser_get_page_text`, for the word "browser" in four languages.
#     English      7 characters become   7   browser
#     French      10 characters become  10   navigateur
#     Russian      7 characters become  42   \u0431\u0440\u0430\u0443\u0437\u0435\u0440
#     Chinese      3 characters become  18   \u6d4f\u89c8\u5668
# Why it is surprising: The same text in a function of one's own is sent as it is, because such a function
#     returns text. The browser toolset puts it into a JSON object, and json.dumps escapes by default all that
#     is not ASCII. The request is JSON itself, which would allow UTF-8. So the model must read a page of
#     Chinese as a row of numbers, and pays several times the tokens for it.
# Measured: 2026-11-30
set -eu
. "$(dirname "$0")/prepare.sh"
pypi openai==3.57.0
python - <<'PY'
import json

from openai.lib.browser import BrowserToolset
from openai.types.responses import ResponseFunctionToolCall

WORDS = {"English": "browser", "French": "navigateur", "Russian": "браузер", "Chinese": "浏览器"}


class Driver:
    def __init__(self, text):
        self.text = text

    def state(self):
        return {"tabs": []}

    def get_page_text(self, action):
        return self.text


lengths = {}
for language, word in WORDS.items():
    toolset = BrowserToolset(Driver(word), members=["get_page_text"])
    call = ResponseFunctionToolCall(
        type="function_call", call_id="1", name="browser_get_page_text", arguments='{"tab_id": null}'
    )
    text = toolset.execute(call)["output"][0]["text"]
    assert json.loads(text)["result"] == word
    read = text.partition('"result": "')[2].removesuffix('"}')
    lengths[language] = len(read)
    print(f"{language:9} {len(word):4} characters become {len(read):3}   {read}")
assert lengths == {"English": 7, "French": 10, "Russian": 42, "Chinese": 18}, lengths
PY
