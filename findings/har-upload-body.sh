#!/bin/sh
# For an upload, Playwright's HAR reports an empty body, and omits the form's plain fields as well as the file.
#
# Versions: PyPI playwright 1.65.0; npm @sparticuz/chromium 153.0.0
# Seen: four POST requests by fetch(): the data that the server received, and the HAR.
#     text           server  3 bytes; bodySize  3, postData.text "a=1"
#     five bytes     server  5 bytes; bodySize  5, postData.text ""
#     form, no file  server 143 bytes; bodySize 143, postData.text has the field
#     form and file  server 305 bytes; bodySize 0, no postData
# Why it is surprising: HAR uses -1 for an unknown size, so 0 means that there was no body, and a HAR
#     validator accepts the file. One might expect that the file's bytes are missing, but not that a file in
#     a form also removes the form's title and date. A replay or a test that is made from a recorded upload
#     sends an empty request.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.0
python - <<'PY'
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import sync_playwright

received = {}


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        received[self.path] = len(self.rfile.read(int(self.headers["Content-Length"])))
        self.do_GET()

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=server.serve_forever, daemon=True).start()
SEND = """async () => {
  const post = (path, body) => fetch(path, {method: 'POST', body});
  const form = new FormData();
  form.append('title', 'Holiday');
  await post('/text', 'a=1');
  await post('/bytes', new Uint8Array([0, 255, 254, 128, 65]));
  await post('/form', form);
  form.append('photo', new Blob([new Uint8Array(8)]), 'photo.bin');
  await post('/form-and-file', form);
}"""
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"])
    context = browser.new_context(record_har_path="a.har")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    page.evaluate(SEND)
    context.close()
    browser.close()
seen = {}
for entry in json.load(open("a.har"))["log"]["entries"]:
    request = entry["request"]
    if request["method"] == "POST":
        path = "/" + request["url"].rpartition("/")[2]
        seen[path] = (request["bodySize"], request.get("postData", {}).get("text"))
        print(f"{path:16} server {received[path]:4} bytes; HAR: bodySize {seen[path][0]}, text {seen[path][1]!r}")
assert seen["/text"] == (3, "a=1") and seen["/bytes"] == (5, ""), seen
assert seen["/form"][0] == received["/form"] and "Holiday" in seen["/form"][1], seen
assert seen["/form-and-file"] == (0, None) and received["/form-and-file"] > 200, seen
PY
