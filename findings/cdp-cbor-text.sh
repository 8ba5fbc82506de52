#!/bin/sh
# In CDP's CBOR encoding, text with an accented letter is not a text string, and a screenshot is not base64.
#
# Versions: PyPI cbor2 6.3.0; npm @sparticuz/chromium 153.0.0
# Seen: Chromium with --remote-debugging-pipe=cbor, decoded by cbor2.
#     title "cafe"   str 'cafe'
#     title "café"   bytes, UTF-16: b'c\x00a\x00f\x00\xe9\x00'
#     each object is tag 24, bytes that have to be decoded once more; `data` of a screenshot is tag 22
#     with the PNG itself, where the protocol's reference says string and JSON has base64
# Why it is surprising: CBOR has a type for UTF-8 text, so one expects the JSON messages in another
#     encoding, and a client passes all tests with English text. But a field's type depends on its content:
#     the browser writes ASCII as a text string and all other text as a byte string in UTF-16. A generic
#     decoder can't distinguish this byte string from binary data, because only binary data has a tag.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi cbor2==6.3.0
cat >run.py <<'PY'
import os

import cbor2


def encoded(value):
    """CBOR as the browser wants it: an object is an indefinite map in tag 24."""
    if not isinstance(value, dict):
        return cbor2.dumps(value)
    inside = b"\xbf" + b"".join(cbor2.dumps(key) + encoded(item) for key, item in value.items()) + b"\xff"
    return b"\xd8\x18\x5a" + len(inside).to_bytes(4) + inside


def opened(value):
    while isinstance(value, cbor2.CBORTag) and value.tag == 24:
        value = cbor2.loads(value.value)
    return {key: opened(item) for key, item in value.items()} if isinstance(value, dict) else value


def call(number, method, session=None, **params):
    message = {"id": number, "method": method, "params": params} | ({"sessionId": session} if session else {})
    to_browser.write(encoded(message))
    while True:
        raw = from_browser.read(int.from_bytes(from_browser.read(7)[3:]))
        answer = {key: opened(item) for key, item in cbor2.loads(raw).items()}
        if answer.get("id") == number:
            return answer["result"]


to_browser, from_browser = open("to", "wb", buffering=0), open("from", "rb")
target = call(1, "Target.createTarget", url="about:blank")["targetId"]
session = call(2, "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
seen = []
for number, expression in enumerate(["'cafe'", "'caf\\u00e9'"], 3):
    seen.append(call(number, "Runtime.evaluate", session, expression=expression)["result"]["value"])
    print(expression, "->", repr(seen[-1]))
picture = call(5, "Page.captureScreenshot", session)["data"]
print("screenshot -> tag", picture.tag, repr(picture.value[:8]))
call(6, "Browser.close")
assert seen == ["cafe", "café".encode("utf-16-le")]
assert picture.tag == 22 and picture.value.startswith(b"\x89PNG")
PY
mkfifo to from
"$CHROME" --headless --no-sandbox --remote-debugging-pipe=cbor --user-data-dir="$TEMP/profile" 3<to 4>from 2>/dev/null &
timeout 60 python run.py
wait
