#!/bin/sh
# Playwright's HAR reports TLS time for plain http, and more than the whole connection took.
#
# Versions: PyPI playwright 1.65.0; npm @sparticuz/chromium 153.0.0, har-validator 5.1.5
# Seen: one page from http://127.0.0.1, on a new connection.
#     timings {"dns": 0.08, "connect": 0.209, "ssl": 1.634, ...}: always over 1 ms, always more than connect
#     har-validator: valid
# Why it is surprising: In HAR 1.2, ssl is -1 without TLS, and a part of connect otherwise, so it can't be
#     greater. The value is plausible (a fast handshake) and valid in the schema. CDP reports a start of -1
#     if there was no TLS, and subtracting -1 adds a millisecond to the time since the request's start.
#     Reused connections are correct (-1), so an average hides the error.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.0
npm_packages har-validator@5.1.5
python - <<'PY'
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import sync_playwright


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=server.serve_forever, daemon=True).start()
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"])
    context = browser.new_context(record_har_path="a.har")
    context.new_page().goto(f"http://127.0.0.1:{server.server_port}/")
    context.close()
    browser.close()
entry = json.load(open("a.har"))["log"]["entries"][0]
print(entry["request"]["url"], json.dumps(entry["timings"]))
assert entry["request"]["url"].startswith("http:")
assert entry["timings"]["ssl"] > 1 and entry["timings"]["ssl"] > entry["timings"]["connect"] >= 0
PY
node -e '
const har = JSON.parse(require("fs").readFileSync("a.har"));
require("har-validator").har(har).then(() => console.log("har-validator: valid"), () => process.exit(1));'
