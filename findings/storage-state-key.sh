#!/bin/sh
# Playwright's storage state silently restores a login's CryptoKey in IndexedDB as an empty object.
#
# Versions: PyPI playwright 1.65.0; npm @sparticuz/chromium 153.0.0
# Seen: values in IndexedDB before storage_state(indexed_db=True), and in a new context after it.
#     the same: Map, Set, BigInt, RegExp, Error, Uint8Array, ArrayBuffer, undefined, a date
#     CryptoKey    {}
#     Blob         {}
#     ImageData    a plain object
#     new Number   {}
#     a date that is invalid   1 January 1970
# Why it is surprising: The option is for logins in IndexedDB, and its format supports types that JSON
#     lacks, so one expects an error for a type that it can't write. With a non-exportable key, a page binds
#     a login to this browser (DPoP). The tokens beside the key are restored, so the page assumes that it is
#     logged in, and fails at the first request that it signs: TypeError, parameter 2 is not of type
#     'CryptoKey'.
# Measured: 2026-11-29
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.0
python - <<'PY'
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import Error, sync_playwright


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=server.serve_forever, daemon=True).start()
PAGE = f"http://127.0.0.1:{server.server_port}/"
SAVE = """async () => {
  const values = {
    key: await crypto.subtle.generateKey({name: 'HMAC', hash: 'SHA-256'}, false, ['sign']),
    blob: new Blob(['hi']), image: new ImageData(1, 1), number: new Number(3), invalid: new Date(NaN),
    map: new Map([['a', 1]]), set: new Set([1]), big: 10n, pattern: /a/g, error: new Error('x'),
    bytes: new Uint8Array([1]), buffer: new Uint8Array([1]).buffer, nothing: undefined, date: new Date(5),
  };
  await new Promise((done, fail) => {
    const open = indexedDB.open('app', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('login');
    open.onsuccess = () => {
      const work = open.result.transaction('login', 'readwrite');
      for (const [name, value] of Object.entries(values)) work.objectStore('login').put(value, name);
      work.oncomplete = done;
      work.onabort = () => fail(work.error);
    };
  });
}"""
READ = """() => new Promise(done => {
  const open = indexedDB.open('app');
  open.onsuccess = () => {
    const kinds = {};
    open.result.transaction('login').objectStore('login').openCursor().onsuccess = event => {
      const at = event.target.result;
      if (!at) return done(kinds);
      kinds[at.key] = Object.prototype.toString.call(at.value).slice(8, -1) +
        (at.value instanceof Date ? ' ' + +at.value : '');
      at.continue();
    };
  };
})"""
SIGN = """() => new Promise((done, fail) => {
  const open = indexedDB.open('app');
  open.onsuccess = () => {
    const get = open.result.transaction('login').objectStore('login').get('key');
    get.onsuccess = () => crypto.subtle.sign('HMAC', get.result, new Uint8Array(1)).then(() => done('signed'), fail);
  };
})"""
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"])
    context = browser.new_context()
    page = context.new_page()
    page.goto(PAGE)
    page.evaluate(SAVE)
    before = page.evaluate(READ)
    assert page.evaluate(SIGN) == "signed"
    page = browser.new_context(storage_state=context.storage_state(indexed_db=True)).new_page()
    page.goto(PAGE)
    after = page.evaluate(READ)
    try:
        signed = page.evaluate(SIGN)
    except Error as error:
        signed = error.message.splitlines()[0]
    browser.close()
for name, kind in before.items():
    print(f"{name:8} {kind:12} -> {after[name]}")
print("sign:", signed)
changed = {name: after[name] for name in before if after[name] != before[name]}
assert changed == {
    "key": "Object", "blob": "Object", "image": "Object", "number": "Object", "invalid": "Date 0",
}, changed
assert before["invalid"] == "Date NaN" and "CryptoKey" in signed, (before, signed)
PY
