"""A page shows secrets in every way: no byte that leaves Tabwarden, by any surface, has one.

What goes to the page itself is not judged: it must have them.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx2
import pytest
from browser.surfaces.cli.shell import shell
from support.login_proxy import login_proxy
from support.mirror import KEY, PROXY, Exits, calls, configuration, mirror, refs_in
from support.serving import TOKEN, running_server
from support.site import Site
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PROGRAM = Path(sys.executable).with_name("tabwarden")
LOUD = ["--log-level", "DEBUG"]
FOLDERS = ("trace_dir", "output_dir", "record", "download_dir")


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    with mirror() as site:
        yield site


@pytest.fixture
def exits(tmp_path: Path) -> Iterator[Exits]:
    """Collects the output, which must contain no secret at the end."""
    exits = Exits()
    yield exits
    masked = {"KEY": KEY} if exits.masks else {}
    for name in FOLDERS:
        exits.add_files(tmp_path / name)
    leaks = exits.leaks(PROXY=PROXY, **masked)
    assert not leaks, json.dumps(leaks, indent=1)


class Mcp:
    """An MCP client that stores each received byte."""

    def __init__(self, exits: Exits) -> None:
        self.exits = exits
        self.number = 0
        about = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self.ask("initialize", **about, clientInfo={"name": "t", "version": "1"})

    def call(self, name: str, /, **arguments: Any) -> str:
        """Call a tool; return the text that a model reads."""
        about = {"name": f"browser_{name}", "arguments": {"timeout_ms": 20_000, **arguments}}
        content = self.ask("tools/call", f"{name} {arguments}", **about)["content"]
        return "\n".join(one.get("text", "") for one in content)

    def ask(self, method: str, name: str = "", /, **params: Any) -> dict[str, Any]:
        self.number += 1
        asked = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        for line in self.exchange(json.dumps(asked).encode()):
            self.exits.add(f"mcp {name or method}", line)
            if line.startswith(b"{") and (answer := json.loads(line)).get("id") == self.number:
                result: dict[str, Any] = answer.get("result", {})
                return result
        raise AssertionError("it ended")

    def exchange(self, asked: bytes) -> Iterator[bytes]:
        raise NotImplementedError


class Stdio(Mcp):
    """``tabwarden mcp``, started with a configuration."""

    def __init__(self, config: Path, exits: Exits) -> None:
        words = ["mcp", "--config", str(config), "--tools", "full", "--structured", "full"]
        self.process = subprocess.Popen(
            [PROGRAM, *words, *LOUD, "--log-format", "json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._log: list[bytes] = []
        self._reader = threading.Thread(target=lambda: self._log.extend(self.process.stderr or ()))
        self._reader.start()
        super().__init__(exits)

    def exchange(self, asked: bytes) -> Iterator[bytes]:
        assert self.process.stdin is not None
        self.process.stdin.write(asked + b"\n")
        self.process.stdin.flush()
        for line in self.process.stdout or ():  # noqa: UP028 - `yield from` would close it
            yield line

    def end(self) -> None:
        with self.process:
            assert self.process.stdin is not None
            self.process.stdin.close()
            self._reader.join(30)
        self.exits.add("log as JSON", b"".join(self._log))


@pytest.mark.threat
@pytest.mark.long
def test_mcp_over_stdio_leaks_no_secret(shop: Site, exits: Exits, tmp_path: Path) -> None:
    """With a webhook, the flight recorder, a HAR file, and a proxy with a login."""

    def hook(request: BaseHTTPRequestHandler) -> None:
        exits.add("webhook", request.rfile.read(int(request.headers["Content-Length"])))
        request.send_error(204)

    shop.pages["/hook"] = hook
    with login_proxy(f"me:{PROXY}") as proxy:
        config = configuration(
            shop,
            tmp_path,
            control={"webhook": f"{shop.here}/hook"},
            proxy=f"http://me:{PROXY}@127.0.0.1:{proxy.port}",
        )
        server = Stdio(config, exits)
        try:
            outline = server.call("navigate", url=f"{shop.here}/", snapshot="full")
            for name, arguments in calls(shop, refs_in(outline)):
                told = server.call(name, **arguments)
                if name == "handoff":
                    server.ask("resources/read", uri="tabwarden://live")
                assert name != "type" or "snapshot" not in arguments or "{{" in told
            for uri in ("tabwarden://state", "tabwarden://live", "tabwarden://screenshot"):
                server.ask("resources/read", uri=uri)
        finally:
            server.end()
    names = " ".join(name for name, _ in exits.left)
    assert "webhook" in names


class Http(Mcp):
    """``tabwarden mcp --http``."""

    def __init__(self, url: str, exits: Exits) -> None:
        accepts = "application/json, text/event-stream"
        headers = {"Authorization": f"Bearer {TOKEN}", "Accept": accepts}
        self._url = url
        self.http = httpx2.Client(headers=headers, timeout=40, trust_env=False)
        super().__init__(exits)

    def exchange(self, asked: bytes) -> Iterator[bytes]:
        sent = {"Content-Type": "application/json"}
        with self.http.stream("POST", self._url, content=asked, headers=sent) as answer:
            self.exits.add("headers of MCP", str(answer.headers))
            if session := answer.headers.get("mcp-session-id"):
                self.http.headers["mcp-session-id"] = session
            for line in answer.iter_lines():
                yield line.removeprefix("data: ").encode()


@pytest.mark.threat
def test_mcp_over_http_leaks_no_secret(shop: Site, exits: Exits, tmp_path: Path) -> None:
    config = configuration(shop, tmp_path)
    words = ("mcp", "--http", "--config", str(config), "--tools", "full", *LOUD)
    with running_server(*words) as server:
        client = Http(server.url, exits)
        ref = refs_in(client.call("navigate", url=f"{shop.here}/", snapshot="full"))
        for name in ("PLAIN", "SPECIAL"):
            text = f"{{{{{name}}}}}"
            told = client.call("type", ref=ref["Word"], text=text, clear=True, snapshot="full")
            assert text in told
        client.call("evaluate", script="throw new Error(word.value)")
        client.call("network")
        client.call("click", ref=ref["Ask"])
        client.ask("resources/read", uri="tabwarden://state")
        client.http.close()
        server.stop()
        exits.add("log", "".join(server.told))


GETS = [
    "/", "/tabs", "/dialogs", "/snapshot", "/snapshot?format=ai", "/console", "/errors",
    "/requests", "/cookies?values=true", "/storage/local?values=true", "/scrape",
    "/clipboard", "/control", "/handoffs", "/metrics", "/profiles", "/files/outputs",
    "/files/downloads", "/openapi.json", "/nothing",
]  # fmt: skip


@pytest.mark.threat
@pytest.mark.long
def test_control_api_and_live_view_leak_no_secret(shop: Site, exits: Exits, tmp_path: Path) -> None:
    exits.masks = True
    config = configuration(shop, tmp_path, mask=True)
    words = ("serve", "--config", str(config), *LOUD)
    with (
        running_server(*words) as server,
        httpx2.Client(
            base_url=server.url,
            headers={"Authorization": f"Bearer {TOKEN}"},
            timeout=40,
            trust_env=False,
        ) as http,
    ):

        def ask(method: str, path: str, /, **fields: Any) -> httpx2.Response:
            answer = http.request(method, path, json=fields or None)
            exits.add(f"{method} {path} {fields}", f"{answer.headers}\n".encode() + answer.content)
            return answer

        ask("POST", "/navigate", url=f"{shop.here}/")
        ask("GET", "/requests")
        followers = [Follower(exits, server.url), Viewer(exits, server.url)]
        ref = refs_in(ask("GET", "/snapshot?full=true").json()["snapshot"])
        ask("POST", "/trace/start")
        for name in ("PLAIN", "SPECIAL"):
            text = f"{{{{{name}}}}}"
            assert ask(
                "POST", "/act", kind="type", ref=ref["Word"], text=text, clear=True
            ).is_success
            ask("POST", "/act", kind="wait", text="you wrote")
        for path in GETS:
            ask("GET", path)
        for fn in ("word.value", "() => { throw new Error(word.value) }", "({[word.value]: 1})"):
            ask("POST", "/act", kind="evaluate", fn=fn)
        ask("POST", "/act", kind="pageTool", name="tell")
        ask("POST", "/act", kind="inspect", ref=ref["Card"])
        ask("POST", "/act", kind="select", ref=ref["Size"], values=["no such"])
        ask("POST", "/act", kind="batch", actions=[{"kind": "evaluate", "fn": "word.value"}])
        ask("POST", "/cdp", method="Runtime.evaluate", params={"expression": "word.value"})
        ask("POST", "/screenshot", labels=True)
        ask("POST", "/highlight", ref=ref["Card"])
        ask("POST", "/requests/har", filename="a.har")
        ask("POST", "/response/body", url="**/echo*")
        ask("POST", "/storage-state/save", filename="s.json")
        ask("POST", "/act", kind="click", ref=ref["Get"])
        ask("POST", "/wait/download")
        ask("POST", "/act", kind="click", ref=ref["Ask"])
        for path in ("/dialogs", "/snapshot", "/"):
            ask("GET", path)
        ask("POST", "/hooks/dialog", accept=True)
        ask("POST", "/trace/stop")
        for kind in ("outputs", "downloads"):
            for one in ask("GET", f"/files/{kind}").json().get("files", []):
                ask("GET", f"/files/{kind}/{one['filename']}")
        ask("POST", "/stop")
        server.stop()
        for one in followers:
            one.end()
        exits.add("log as text", "".join(server.told))


class Follower:
    """Stores the events of ``GET /events``."""

    def __init__(self, exits: Exits, url: str) -> None:
        self.thread = threading.Thread(target=self.follow, args=(exits, url), daemon=True)
        self.thread.start()

    def follow(self, exits: Exits, url: str) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with (
            suppress(httpx2.HTTPError),
            httpx2.stream("GET", f"{url}/events", headers=headers, timeout=60) as events,
        ):
            for line in events.iter_lines():
                exits.add("events", line)

    def end(self) -> None:
        self.thread.join(10)
        assert not self.thread.is_alive()


class Viewer(Follower):
    """A live view that requests everything."""

    def follow(self, exits: Exits, url: str) -> None:
        with connect(
            f"{url.replace('http', 'ws')}/live/socket",
            additional_headers={"Authorization": f"Bearer {TOKEN}"},
            proxy=None,
        ) as live:
            live.send(json.dumps({"type": "hello"}))
            with suppress(TimeoutError, ConnectionClosed):
                self.see(exits, live)

    def see(self, exits: Exits, live: ClientConnection) -> None:
        parts = ["calls", "outline", "console", "requests"]
        while True:
            message = live.recv(60)
            exits.add("live view", message)
            told = json.loads(message) if isinstance(message, str) else {}
            if told.get("type") == "tasks":
                if self.seen and not told["tasks"]:
                    return
                for name in told["tasks"]:
                    self.seen = True
                    watch = {"type": "watch", "task": name, "pictures": "small", "parts": parts}
                    live.send(json.dumps(watch))
            if told.get("type") == "calls":
                for one in told["calls"]:
                    about = {"task": told["task"], "number": one["number"]}
                    live.send(json.dumps({"type": "call", **about}))
            if told.get("type") == "outline":
                live.send(json.dumps({**told, "type": "boxes"}))

    seen = False


@pytest.mark.threat
@pytest.mark.long
def test_daemon_and_command_line_leak_no_secret(
    shop: Site, exits: Exits, folder: Path, tmp_path: Path
) -> None:
    config = configuration(shop, tmp_path)
    with shell(folder) as terminal:
        terminal.env["TABWARDEN_CONFIG"] = str(config)

        def run(*words: str) -> str:
            done = terminal.run(*words)
            exits.add(f"tabwarden {words}", f"{done.out}\n{done.err}")
            return done.out

        ref = refs_in(run("open", f"{shop.here}/", "--video", str(tmp_path / "record")))
        assert "{{PLAIN}}" in run("type", ref["Word"], "{{PLAIN}}")
        assert "{{SPECIAL}}" in run(
            "type", ref["Word"], "{{SPECIAL}}", "--clear", "--snapshot", "full"
        )
        run("network", "--json")
        for request in (
            {"op": "status"},
            {"op": "call", "tool": "browser_snapshot", "arguments": {"full": True}},
            {"op": "call", "tool": "browser_console", "arguments": {}},
            {"op": "call", "tool": "browser_evaluate", "arguments": {"script": "throw word.value"}},
            {"op": "call", "tool": "browser_click", "arguments": {"ref": ref["Ask"]}},
            {"op": "call", "tool": "browser_snapshot", "arguments": {}},
        ):
            exits.add(f"daemon {request}", said_by(terminal.socket, request))
        run("status")
        run("sessions", "--json")
        run("dialog", "accept")
        run("trace", "save")
        exits.add_files(tmp_path / "record")
        for words in (["config", "show"], ["doctor", "--json"]):
            run(*words)
        trace = next((tmp_path / "trace_dir").glob("*.zip"))
        for made in ("playwright", "tabwarden"):
            run("export", str(trace), "--to", made)
        run("close")
        exits.add_files(folder)


def said_by(path: Path, request: dict[str, Any]) -> bytes:
    """Call a daemon, and return its whole reply."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(str(path))
        link.sendall(
            json.dumps({"token": ""}).encode() + b"\n" + json.dumps(request).encode() + b"\n"
        )
        said = b""
        while b'"answer"' not in said or not said.endswith(b"\n"):
            if not (part := link.recv(1 << 16)):
                break
            said += part
        return said
