"""A page that shows typed text in every encoding, and a search for secrets in bytes."""

from __future__ import annotations

import base64
import html
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from support.site import Site
from support.writings import written
from tabwarden.vault.totp import parse_seed

__all__ = [
    "AUTH", "KEY", "PLAIN", "PROXY", "SPECIAL", "Exits",
    "calls", "configuration", "mirror", "refs_in",
]  # fmt: skip

PLAIN = "correcthorse9battery"
SPECIAL = "Wq7\"&/hünter2 'x<y>+%z"
"""Its JSON, HTML, URL and base64 encodings all differ."""
SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
OTPAUTH = f"otpauth://totp/Shop?secret={SEED}&digits=8&period=300"
AUTH = "auth-Pass/word77"
KEY = "AKIA" + "Q3EGZ7PLW5XKN2VB"
"""Looks like an AWS key, which `--mask` hides."""
PROXY = "proxy-Pass-word88"
_PAGE = Path(__file__).with_name("mirror.html")
_FRAME = """<p id=q></p><input id=f aria-label=Far><script>
const text = decodeURIComponent(location.hash.slice(1)); q.textContent = f.value = text;
console.warn('frame', text); document.title = text;
document.modelContext?.registerTool({name: 'far', description: text, execute: async () => text});
</script>"""


def _forms(secret: str) -> set[str]:
    thrice = json.dumps(json.dumps(json.dumps(secret)[1:-1])[1:-1])[1:-1]
    made = {form for _, form in written(secret)}
    return made | {json.dumps(secret, ensure_ascii=False)[1:-1], thrice, secret.encode().hex()}


class Exits:
    """All collected output, and the secrets in it."""

    def __init__(self) -> None:
        self.left: list[tuple[str, bytes]] = []
        self.masks = False
        """Whether what looks like a key must not leave either."""

    def add(self, name: str, said: Any) -> None:
        raw = said if isinstance(said, bytes) else str(said).encode("utf-8", "surrogatepass")
        self.left.append((name, raw))

    def add_files(self, folder: Path) -> None:
        """Add each file below a folder, with its name; archives also unpacked. A PDF is what the
        page printed, and is left as it is."""
        import zipfile

        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pdf":
                self.add(f"file {path.name}", path.name.encode() + b"\n" + path.read_bytes())
                if zipfile.is_zipfile(path):
                    with zipfile.ZipFile(path) as archive:
                        for name in archive.namelist():
                            self.add(f"{path.name}:{name}", archive.read(name))

    def leaks(self, **more: str) -> dict[str, str]:
        """Return the output around a secret, by its exit."""
        now = time.time()
        totp = parse_seed(OTPAUTH)
        codes = {f"CODE{n}": totp.code(now - 300 * n) for n in range(3)}
        secrets = {"PLAIN": PLAIN, "SPECIAL": SPECIAL, "SEED": SEED, "AUTH": AUTH, **codes, **more}
        forms = {name: _forms(text) for name, text in secrets.items()}
        every = {one.casefold(): name for name, texts in forms.items() for one in texts}
        pattern = re.compile("|".join(map(re.escape, sorted(every, key=len, reverse=True))))
        found = {}
        for exit_, raw in self.left:
            text = raw.decode("utf-8", "replace").casefold()
            if place := pattern.search(text):
                around = text[max(0, place.start() - 200) : place.end() + 80]
                found[f"{exit_} ({every[place[0]]})"] = around
        return found


def _echo(request: BaseHTTPRequestHandler) -> None:
    body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
    query = unquote(urlsplit(request.path).query)
    request.send_response(200)
    request.send_header("X-Back", request.headers.get("X-W", ""))
    request.send_header("X-Query", urlsplit(request.path).query)
    request.send_header("Set-Cookie", f"back={urlsplit(request.path).query}")
    request.send_header("Server-Timing", "a;desc=" + json.dumps(query.encode().hex()))
    request.send_header("Content-Type", "text/plain")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def _written(request: BaseHTTPRequestHandler) -> None:
    """Pass each encoding of the text to the page."""
    text = request.rfile.read(int(request.headers["Content-Length"])).decode()
    body = json.dumps([form for _, form in written(text)]).encode()
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def _stream(request: BaseHTTPRequestHandler) -> None:
    query = unquote(urlsplit(request.path).query)
    request.send_response(200)
    request.send_header("Content-Type", "text/event-stream")
    request.send_header("Connection", "close")
    request.end_headers()
    request.wfile.write(f"id: {query}\ndata: {query}\n\n".encode())
    request.close_connection = True


def _file(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Disposition", "attachment")
    request.send_header("Content-Length", "4")
    request.end_headers()
    request.wfile.write(b"file")


def _login(request: BaseHTTPRequestHandler) -> None:
    given = request.headers.get("Authorization", "")
    login = base64.b64decode(given.removeprefix("Basic ")).decode("utf-8", "replace")
    body = f"<title>{html.escape(login)}</title>{html.escape(login)} {given}".encode()
    request.send_response(200 if given else 401)
    request.send_header("WWW-Authenticate", f'Basic realm="{PLAIN}"')
    request.send_header("Content-Type", "text/html; charset=utf-8")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@contextmanager
def mirror() -> Iterator[Site]:
    """Serve the page at ``/``, until the block ends."""
    with Site() as site:
        site.page("/", _PAGE.read_text().replace("THERE", site.there).replace("KEY", KEY))
        site.page("/frame", _FRAME)
        site.pages |= {"/echo": _echo, "/stream": _stream, "/file": _file, "/login": _login}
        site.pages["/written"] = _written
        yield site


def configuration(site: Site, folder: Path, **browser: Any) -> Path:
    """Write a configuration with the secrets, and with folders below ``folder``."""
    here = [site.here]
    known = {
        "PLAIN": {"value": PLAIN, "origins": here},
        "SPECIAL": {"value": SPECIAL, "origins": here},
        "CODE": {"value": OTPAUTH, "totp": True, "origins": here},
        "AUTH": {"value": AUTH, "origins": here},
    }
    folders = ("trace_dir", "download_dir", "state_dir", "output_dir", "profiles_dir")
    for key in (*folders, "record", "up"):
        (folder / key).mkdir()
    (folder / "up/one.txt").write_text("one")
    settings = {
        "secrets": known,
        "upload_dir": str(folder / "up"),
        "record_har": str(folder / "record/all.har"),
        **{key: str(folder / key) for key in folders},
        **browser,
    }
    path = folder / "config.yaml"
    path.write_text(json.dumps({"browser": settings}))
    return path


def refs_in(outline: str) -> dict[str, str]:
    """Return the refs in an outline by the names of their elements."""
    return dict(re.findall(r'"(\w+)".*?\[ref=(e\d+)', outline))


def calls(site: Site, ref: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    """Return calls of every action that a page's text may come back from, in an order in which
    each of them finds the page as it needs it.

    Args:
        ref: the refs of the page's elements, by their names before anything was typed.
    """
    files = [("snapshot", {}), ("screenshot", {}), ("console", {}), ("scrape", {})]
    every = "[document.title, {[word.value]: b64(word.value)}, location.href, hex(word.value)]"
    return [
        ("network", {}),
        ("route", {"url": "**/mock?w=*", "body": "x", "headers": {"X-A": "b"}}),
        ("init_script", {"mode": "add", "script": "window.began = document.URL"}),
        ("type", {"ref": ref["Word"], "text": "{{PLAIN}}", "snapshot": "full"}),
        ("wait", {"text": "you wrote", "snapshot": "full"}),
        ("type", {"ref": ref["Code"], "text": "{{CODE}}", "snapshot": "diff"}),
        ("snapshot", {"full": True}),
        ("type", {"ref": ref["Word"], "text": "{{SPECIAL}}", "clear": True, "snapshot": "diff"}),
        ("snapshot", {"full": True, "boxes": True}), ("snapshot", {"diff": True}),
        ("find", {"text": "wrote"}), ("find", {"css": "p, input, button"}),
        *(("scrape", {"format": how}) for how in ("markdown", "html", "text")),
        ("console", {}), ("network", {}), ("network", {"request_id": "last"}),
        *((name, {**given, "filename": f"{name}-x"}) for name, given in files),
        ("network", {"filename": "all.har", "content": "embed"}),
        ("cookies", {"values": True}), ("storage", {"mode": "get", "values": True}),
        ("evaluate", {"script": every}), ("evaluate", {"script": every, "filename": "e.json"}),
        ("evaluate", {"script": "throw new Error(word.value)"}),
        ("evaluate", {"script": "throw {a: word.value}"}),
        ("evaluate", {"script": "document.documentElement.outerHTML"}),
        ("cdp", {"method": "DOM.getDocument", "params": {"depth": -1}}),
        ("cdp", {"method": "Runtime.evaluate", "params": {"expression": "word.value"}}),
        ("cdp", {"method": "Runtime.evaluate", "params": {"expression": "no.such(word.value)"}}),
        ("cdp", {"method": "No.such", "params": {"a": PLAIN}}),
        ("inspect", {"ref": ref["Card"], "styles": ["content"]}), ("page_tool", {}),
        ("page_tool", {"name": "tell"}), ("page_tool", {"name": "far"}),
        ("page_tool", {"name": "tel"}), ("page_tool", {"name": "tell", "arguments": {"a": 1}}),
        ("tabs", {"mode": "list"}), ("wait", {"script": "word.value", "timeout_ms": 2000}),
        ("wait", {"ref": ref["Copy"], "has_text": "no such", "timeout_ms": 400}),
        ("wait", {"any_of": [{"text": "zz"}, {"script": "throw word.value"}], "timeout_ms": 900}),
        ("select", {"ref": ref["Size"], "labels": ["no such"]}), ("hover", {"ref": ref["Card"]}),
        ("focus", {"ref": ref["Copy"]}), ("check", {"ref": ref["Tick"]}),
        ("uncheck", {"ref": ref["Tick"]}), ("press", {"key": "Tab"}), ("scroll", {}),
        ("drop", {"ref": ref["Drop"], "data": {"text/plain": "x"}, "snapshot": "full"}),
        ("drag", {"from_ref": ref["Card"], "to_ref": ref["Drop"]}),
        ("highlight", {"ref": ref["Copy"], "duration_s": 1}), ("screenshot", {"annotate": True}),
        ("mouse", {"mode": "click", "x": 5, "y": 5}), ("touch", {"mode": "tap", "x": 5, "y": 5}),
        ("clipboard", {"mode": "write", "text": "plain"}), ("clipboard", {"mode": "read"}),
        ("upload", {"ref": ref["File"], "filenames": ["one.txt"]}),
        ("upload", {"ref": ref["File"], "filenames": ["no.txt"]}),
        ("fill_form", {"fields": [{"ref": ref["Code"], "value": "{{PLAIN}}"}]}),
        ("fill_form", {"fields": [{"ref": ref["Tick"], "value": "{{PLAIN}}"}]}),
        ("type", {"ref": ref["Card"], "text": "{{PLAIN}}"}),
        ("batch", {"steps": [
            {"action": "evaluate", "script": "word.value"},
            {"action": "type", "ref": ref["Word"], "text": "{{SPECIAL}}", "clear": True},
            {"action": "evaluate", "script": "throw word.value"}]}),
        ("route", {"mode": "list"}), ("init_script", {"mode": "list"}),
        ("click", {"ref": ref["Ask"], "snapshot": "full"}), ("snapshot", {}), ("screenshot", {}),
        ("dialog", {"action": "accept", "prompt_text": "no"}), ("snapshot", {"full": True}),
        ("click", {"ref": ref["Get"]}), ("wait", {"download": True, "timeout_ms": 2000}),
        ("emulate", {"headers": {"X-A": "{{PLAIN}}"}}), ("emulate", {"color_scheme": "dark"}),
        ("resize", {"width": 800, "height": 600}), ("pdf", {"filename": "p.pdf"}),
        ("handoff", {"reason": f"log in as {PLAIN}", "timeout_ms": 600}),
        ("storage_state", {"mode": "save", "filename": "s.json"}),
        ("trace", {}),
        ("tabs", {"mode": "open", "url": f"{site.here}/login"}),
        ("auth", {"username": "{{PLAIN}}", "password": "{{AUTH}}"}), ("snapshot", {"full": True}),
        ("tabs", {"mode": "list"}), ("tabs", {"mode": "close"}),
        ("reload", {"snapshot": "full"}), ("back", {"timeout_ms": 500}),
        ("navigate", {"url": f"{site.here}/?end", "snapshot": "diff"}),
    ]  # fmt: skip
