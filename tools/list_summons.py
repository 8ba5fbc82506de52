"""List what a page can ask of the browser, and what then happens to the page and to its input.

Each row is a call that a page may make in a click. A raw CDP client makes it in a new tab: first as
is, then with the commands that let a client answer (``ARMED``). The last line lists functions of
the browser with similar names that the script does not call. A new Chromium may have added some.

    python tools/list_summons.py BROWSER... [--window]

``--window`` opens windows, which need a display. The table in docs/facts.md comes from this script.
"""

from __future__ import annotations

import argparse
import http.server
import json
import re
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

CALLS = {
    "credentials.get, passkey": "navigator.credentials.get({publicKey:"
    " {challenge: new Uint8Array(16), rpId: location.hostname}})",
    "credentials.create, passkey": "navigator.credentials.create({publicKey: {challenge:"
    " new Uint8Array(16), rp: {id: location.hostname, name: 'Shop'}, user: {id:"
    " new Uint8Array(16), name: 'ann', displayName: 'Ann'}, pubKeyCredParams:"
    " [{type: 'public-key', alg: -7}]}})",
    "credentials.get, password": "navigator.credentials.get({password: true})",
    "credentials.get, digital": "navigator.credentials.get({digital: {requests:"
    " [{protocol: 'openid4vp-v1-unsigned', data: {}}]}})",
    "credentials.create, digital": "navigator.credentials.create({digital: {requests:"
    " [{protocol: 'openid4vci-v1', data: {}}]}})",
    "credentials.get, otp": "navigator.credentials.get({otp: {transport: ['sms']}})",
    "credentials.get, identity": "navigator.credentials.get({identity: {providers:"
    " [{configURL: location.origin + '/config.json', clientId: '1'}]}})",
    "credentials.get, identity, active": "navigator.credentials.get({identity: {mode: 'active',"
    " providers: [{configURL: location.origin + '/config.json', clientId: '1'}]}})",
    "credentials.store, password": "navigator.credentials.store(new PasswordCredential("
    "{id: 'ann', password: 'x'}))",
    "getDisplayMedia": "navigator.mediaDevices.getDisplayMedia()",
    "getUserMedia, audio": "navigator.mediaDevices.getUserMedia({audio: true})",
    "getUserMedia, video": "navigator.mediaDevices.getUserMedia({video: true})",
    "selectAudioOutput": "navigator.mediaDevices.selectAudioOutput()",
    "file input": "new Promise((resolve, reject) => {"
    " const input = document.createElement('input'); input.type = 'file'; input.onchange = resolve;"
    " input.oncancel = () => reject({name: 'cancel'}); input.click() })",
    "color input": "new Promise(() => { const input = document.createElement('input');"
    " input.type = 'color'; document.body.append(input); input.showPicker() })",
    "date input": "new Promise(() => { const input = document.createElement('input');"
    " input.type = 'date'; document.body.append(input); input.showPicker() })",
    "select": "new Promise(() => { const input = document.createElement('select');"
    " input.innerHTML = '<option>A<option>B'; document.body.append(input); input.showPicker() })",
    "showOpenFilePicker": "showOpenFilePicker()",
    "showSaveFilePicker": "showSaveFilePicker()",
    "showDirectoryPicker": "showDirectoryPicker()",
    "requestPointerLock": "document.body.requestPointerLock()",
    "requestFullscreen": "document.body.requestFullscreen()",
    "keyboard.lock": "navigator.keyboard.lock()",
    "Notification.requestPermission": "Notification.requestPermission()",
    "pushManager.subscribe": "navigator.serviceWorker.register('/worker.js').then(() =>"
    " navigator.serviceWorker.ready).then((one) => one.pushManager.subscribe({userVisibleOnly:"
    " true, applicationServerKey: 'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJu"
    "Bkr3qBUYIHBQFLXYp5Nksh8U'}))",
    "geolocation": "new Promise((resolve, reject) =>"
    " navigator.geolocation.getCurrentPosition(resolve, reject))",
    "clipboard.readText": "navigator.clipboard.readText()",
    "queryLocalFonts": "queryLocalFonts()",
    "getScreenDetails": "getScreenDetails()",
    "IdleDetector.requestPermission": "IdleDetector.requestPermission()",
    "requestMIDIAccess, sysex": "navigator.requestMIDIAccess({sysex: true})",
    "storage.persist": "navigator.storage.persist()",
    "requestStorageAccess": "document.requestStorageAccess()",
    "usb.requestDevice": "navigator.usb.requestDevice({filters: []})",
    "serial.requestPort": "navigator.serial.requestPort()",
    "hid.requestDevice": "navigator.hid.requestDevice({filters: []})",
    "bluetooth.requestDevice": "navigator.bluetooth.requestDevice({acceptAllDevices: true})",
    "PaymentRequest.show": "new PaymentRequest([{supportedMethods: 'https://pay.example'}],"
    " {total: {label: 'Sum', amount: {currency: 'EUR', value: '1'}}}).show()",
    "share": "navigator.share({title: 'Shop', url: location.href})",
    "EyeDropper.open": "new EyeDropper().open()",
    "documentPictureInPicture": "documentPictureInPicture.requestWindow()",
    "RemotePlayback.prompt": "document.createElement('video').remote.prompt()",
    "PresentationRequest.start": "new PresentationRequest(location.href).start()",
    "registerProtocolHandler": "navigator.registerProtocolHandler('web+shop', '/?%s')",
    "navigator.install": "navigator.install()",
    "wakeLock.request": "navigator.wakeLock.request()",
    "orientation.lock": "screen.orientation.lock('portrait')",
    "LanguageModel.create": "LanguageModel.create()",
    "xr.requestSession": "navigator.xr.requestSession('immersive-vr')",
    "link to another program": "location = 'zoommtg://join/1'",
    "window.open, another program": "open('zoommtg://join/1')",
    "print": "print()",
    "window.open": "open('/blank')",
}
ONLY_ARMED = {"credentials.create, passkey"}
"""A headless shell 153 would end. That is a defect of the shell, not of the page."""
ARMED: dict[str, dict[str, Any]] = {
    "WebAuthn.enable": {},
    "FedCm.enable": {"disableRejectionDelay": True},
    "DigitalCredentials.setVirtualWalletBehavior": {"action": "decline"},
    "DeviceAccess.enable": {},
    "Page.setInterceptFileChooserDialog": {"enabled": True},
}
QUIET = re.compile(r"^(Page\.(frame|lifecycle|load|dom|navigated|windowOpen)|Runtime\.|Target\."
                   r"(targetInfoChanged|targetDestroyed|attached))")  # fmt: skip
"""Events that a client gets anyway."""
SUSPICIOUS = re.compile(r"^(request|show|prompt|select|choose|share|pick|install|register|query)")
PAGE = """<!doctype html><title>Calls</title><body style="height: 100vh; margin: 0"><script>
window.presses = 0; window.call = null;
addEventListener("mousedown", () => { window.presses++ });
addEventListener("click", () => {
  const call = window.call;
  window.call = null;
  if (!call) return;
  window.out = "pends";
  const began = performance.now();
  const end = (word) => { window.out = word + (performance.now() - began > 1000 ? " late" : "") };
  try {
    Promise.resolve((0, eval)(call)).then(
      (value) => end("resolves" + (typeof value === "string" ? " " + value : "")),
      (error) => end(error.name ?? "refuses"));
  } catch (error) { end(error.name) }
});
</script>"""
FEDCM = {
    "/.well-known/web-identity": {"provider_urls": ["/config.json"]},
    "/config.json": {
        "accounts_endpoint": "/accounts", "client_metadata_endpoint": "/client",
        "id_assertion_endpoint": "/token", "login_url": "/login",
    },
    "/accounts": {"accounts": [{"id": "1", "name": "Ann", "email": "ann@shop.example"}]},
    "/client": {}, "/token": {"token": "t"},
}  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        found = FEDCM.get(path)
        if found is not None:
            body, kind = json.dumps(found).replace('"/', f'"http://{self.headers["Host"]}/'), "json"
        else:
            body, kind = PAGE * (path == "/"), "javascript" if path == "/worker.js" else "html"
        self.send_response(200)
        prefix = "application" if kind == "json" else "text"
        self.send_header("Content-Type", f"{prefix}/{kind}")
        self.send_header("Set-Login", "logged-in")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


class Client:
    """A client that has one command at a time and keeps the names of the events."""

    def __init__(self, socket: Connection) -> None:
        self._socket = socket
        self._number = 0
        self.events: list[str] = []

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send a command and return its result, or ``{"error"}``, also if none comes in 3 s."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        until = time.monotonic() + 3
        while (left := until - time.monotonic()) > 0:
            reply = self._next(left)
            if reply is not None and reply.get("id") == self._number:
                result: dict[str, Any] = reply.get("result", {"error": reply.get("error")})
                return result
        return {"error": "no reply"}

    def listen(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._next(left)

    def _next(self, seconds: float) -> dict[str, Any] | None:
        try:
            reply: dict[str, Any] = json.loads(self._socket.recv(timeout=seconds))
        except TimeoutError:
            return None
        if "method" in reply:
            self.events.append(reply["method"])
        return reply


@contextmanager
def browser(path: str, *, window: bool) -> Iterator[tuple[Client, str]]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}",
                 "--no-first-run", "--no-default-browser-check", "--password-store=basic",
                 "--disable-search-engine-choice-screen",
                 "--disable-backgrounding-occluded-windows",
                 *([] if window else ["--headless"]), "about:blank"]  # fmt: skip
        process = subprocess.Popen(
            [path, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            port_file = Path(profile) / "DevToolsActivePort"
            while not port_file.exists() or port_file.read_text().count("\n") < 1:
                time.sleep(0.05)
            port = port_file.read_text().split("\n")[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version") as reply:
                version = json.load(reply)
            with connect(version["webSocketDebuggerUrl"], max_size=None) as socket:
                yield Client(socket), version["Browser"]
        finally:
            process.kill()
            process.wait()


class Run:
    """A browser, which starts again after a call that ended it."""

    def __init__(self, path: str, url: str, *, window: bool) -> None:
        self._path, self._url, self._window = path, url, window
        self._start()

    def _start(self) -> None:
        self._stack = ExitStack()
        self.client, self.version = self._stack.enter_context(
            browser(self._path, window=self._window)
        )

    def tried(self, call: str, *, armed: bool) -> str:
        try:
            return tried(self.client, self._url, call, armed=armed)
        except ConnectionClosed:
            self.end()
            self._start()
            return "**the browser ends**"

    def end(self) -> None:
        self._stack.close()


def tried(client: Client, url: str, call: str, *, armed: bool) -> str:
    """Make a call in a click in a new tab, and return what happened in a few words."""
    target = client.call("Target.createTarget", url="about:blank")["targetId"]
    session = client.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def evaluate(expression: str) -> Any:
        reply = client.call("Runtime.evaluate", session, expression=expression, returnByValue=True)
        return reply.get("result", {}).get("value")

    def click(x: int) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            client.call("Input.dispatchMouseEvent", session, type=kind, x=x, y=40,
                        button="left", clickCount=1)  # fmt: skip

    client.call("Page.enable", session)
    for method, params in ARMED.items() if armed else ():
        client.call(method, session, **params)
    client.call("Page.navigate", session, url=url)
    client.call("Page.bringToFront", session)
    while not evaluate("window.presses"):  # a page that is not drawn yet drops clicks
        click(80)
        client.listen(0.05)
    evaluate(f"window.call = {json.dumps(call)}")
    client.call("Target.setDiscoverTargets", discover=True)
    client.events.clear()
    click(40)
    client.listen(1.5)
    out = evaluate("window.out")
    words = [str(out if out is not None else "the page is gone")]
    events = dict.fromkeys(one for one in client.events if not QUIET.match(one))
    client.call("Page.bringToFront", session)
    before = evaluate("window.presses")
    click(80)
    if evaluate("window.presses") == before and out is not None:
        words.append("**input is lost**")
    words += [f"`{one}`" for one in events]
    client.call("Target.setDiscoverTargets", discover=False)
    client.call("Target.closeTarget", targetId=target)
    return ", ".join(words)


def untried(client: Client, url: str) -> list[str]:
    """Return the browser's functions with similar names that the script does not call."""
    target = client.call("Target.createTarget", url=url)["targetId"]
    session = client.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    client.listen(0.5)
    script = """[...new Set(Object.getOwnPropertyNames(window).flatMap((name) => {
      const own = window[name];
      const named = (owner) => Object.getOwnPropertyNames(owner ?? {})
        .filter((one) => typeof Object.getOwnPropertyDescriptor(owner, one).value === "function");
      return typeof own !== "function" ? [] : own.prototype && /^[A-Z]/.test(name)
        ? [...named(own.prototype), ...named(own)].map((one) => `${name}.${one}`) : [name];
    }))]"""
    reply = client.call("Runtime.evaluate", session, expression=script, returnByValue=True)
    names = reply["result"]["value"]
    known = " ".join(CALLS.values())
    return [
        name
        for name in names
        if SUSPICIOUS.match(name.rpartition(".")[2])
        and not re.search(rf"\b{re.escape(name.rpartition('.')[2])}\(", known)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("browsers", nargs="+", help="paths of Chromium")
    parser.add_argument("--window", action="store_true", help="with windows")
    parser.add_argument("--only", default="", help="rows whose name has this")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://localhost:{server.server_address[1]}/"
    for path in options.browsers:
        run = Run(path, url, window=options.window)
        print(f"\n{run.version}{', with a window' * options.window}\n\n| call | alone | armed |")
        print("|---|---|---|")
        for name, call in CALLS.items():
            if options.only in name:
                alone = "-" if name in ONLY_ARMED else run.tried(call, armed=False)
                cells = [alone, run.tried(call, armed=True)]
                print(f"| {name} | {cells[0]} | {cells[1]} |", flush=True)
        print(f"\nNot tried: {', '.join(untried(run.client, url))}")
        run.end()


if __name__ == "__main__":
    main()
