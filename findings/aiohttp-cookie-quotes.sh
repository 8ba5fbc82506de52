#!/bin/sh
# aiohttp sends a cookie back in quotes if its value has "=", "/" or "@"; told not to quote, it drops a value's own.
#
# Versions: PyPI aiohttp 3.14.5, httpx 0.28.1
# Seen: what the server set, and what it got back.
#     set         aiohttp      aiohttp, quote_cookie=False    httpx
#     YWJj==      "YWJj=="     YWJj==                         YWJj==
#     a/b         "a/b"        a/b                            a/b
#     me@home     "me@home"    me@home                        me@home
#     a:b         a:b          a:b                            a:b
#     "abc"       "abc"        abc                            "abc"
# Why a good guess is wrong: a cookie's value is opaque. All of these are values that RFC 6265 lets a server
#     set, quotes included, and a client returns what it stored, as browsers, httpx and requests do. aiohttp
#     takes the value through the standard library's SimpleCookie, which quotes by older rules. A session
#     in base64 loses its login with some values only: those whose length needs padding, or that
#     have a slash. And neither setting of the one option returns all five as they came.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
pypi aiohttp==3.14.5 httpx==0.28.1
python - <<'PY'
import asyncio
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import aiohttp
import httpx

VALUES = ["YWJj==", "a/b", "me@home", "a:b", '"abc"']
got = []


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        got.append(self.headers["Cookie"])
        self.send_response(200)
        self.send_header("Set-Cookie", "sid=" + VALUES[int(self.path[1:])])
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=server.serve_forever, daemon=True).start()
base = f"http://localhost:{server.server_port}/"


async def ask_twice(url, quotes):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(quote_cookie=quotes)) as session:
        for _ in "12":
            await (await session.get(url)).read()


seen = []
for n, value in enumerate(VALUES):
    for quotes in (True, False):
        asyncio.run(ask_twice(base + str(n), quotes))
    with httpx.Client() as client:
        client.get(base + str(n))
        client.get(base + str(n))
    quoted, unquoted, by_httpx = (cookie.removeprefix("sid=") for cookie in got[-5::2])
    print(f"set {value:10} aiohttp {quoted:12} not quoting {unquoted:12} httpx {by_httpx}")
    seen.append((quoted, unquoted))
    assert by_httpx == value
assert [quoted for quoted, _ in seen] == ['"YWJj=="', '"a/b"', '"me@home"', "a:b", '"abc"'], seen
assert [unquoted for _, unquoted in seen] == [*VALUES[:4], "abc"], seen
PY
