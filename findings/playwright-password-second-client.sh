#!/bin/sh
# A second CDP client that intercepts requests, but not passwords, takes password prompts away from Playwright.
#
# Versions: PyPI playwright 1.65.2, npm @sparticuz/chromium 153.0.0 (with Debian's Chromium 150, goto fails: ERR_INVALID_AUTH_CREDENTIALS)
# Seen: a context with `http_credentials`, and a server that requires a password for `/`.
#     only Playwright:                                     200
#     and a CDP session with `Fetch.enable` without `handleAuthRequests`, which continues each request: 401
# Why it is surprising: The second client does not ask for password prompts, and continues each request
#     unchanged, so one expects that it changes nothing. But Chromium lets only the client that intercepts
#     last decide about the password, and this client has decided: no password. So a tracer or a proxy
#     that is attached to a page for another purpose breaks logins that worked without it.
# Measured: 2026-11-29
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.2
cat >run.py <<'PY'
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import sync_playwright


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.headers.get("Authorization") else 401)
        self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>page")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = []
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"], args=["--no-sandbox"])
    for second in (False, True):
        login = {"username": "u", "password": "p"}
        page = browser.new_context(http_credentials=login).new_page()
        if second:
            cdp = page.context.new_cdp_session(page)
            cdp.on(
                "Fetch.requestPaused",
                lambda event: cdp.send("Fetch.continueRequest", {"requestId": event["requestId"]}),
            )
            cdp.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        status = page.goto(f"http://127.0.0.1:{server.server_port}/").status
        print("with a second client:" if second else "only Playwright:", status)
        seen.append(status)
    browser.close()
raise SystemExit(0 if seen == [200, 401] else 1)
PY
python run.py
