"""Judge ``tabwarden serve`` by OpenClaw's agent contract: ``python -m judges.judge_openclaw``.

OpenClaw's own tests (``server.agent-contract*.test.ts``) start its server in the test's process
and replace Playwright with mocks, so they can't run against another server. This command sends the
requests that those tests make to a real ``tabwarden serve`` with a real page, and checks the
answers that they expect. ``APART`` has the cases in which Tabwarden differs, each with its reason.

With the path of a checkout of openclaw/openclaw, the command also reports the upstream cases that
it does not know yet.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

PAGE = b"""<!doctype html><title>Contract</title>
<button class=save>Save</button> <button id=ask onclick="confirm('Continue?')">Ask</button>
<input class=name aria-label=Name> <input class=clearable aria-label=Clear value=x>
<select class=choice multiple aria-label=Choice><option value=a>A<option value=b>B
<option value="">None<option value="  spaced  ">Spaced</select>
<input type=file aria-label=File> <a id=get download=report.pdf href=/report.pdf>Get</a>
<script>ready = true</script>"""
Given = Mapping[str, Any]
CASES: dict[str, Callable[[Judged], None]] = {}
"""The cases that pass, by upstream's test names."""
APART: Mapping[str, str] = {
    "returns ACT_EXISTING_SESSION_UNSUPPORTED for unsupported existing-session actions": "there is "
    "no driver that lacks kinds: every kind works in every browser",
    "only adopts a replacement proven by the acted-on page: $replacement": "tests a mock; a tab "
    "keeps its tabId here when its target changes",
    "returns the replacement targetId after an action-triggered target swap": "the same",
    "agent contract: doctor deep runs a live snapshot probe": "the checks are those of tabwarden "
    "doctor, which opens a page and reads it; their ids are its own",
    "forwards the minimum navigation timeout to Playwright": "timeoutMs is the budget of the call, "
    "so 10 ms is not raised to 1 s",
    "navigation preserves captured relay ownership: $ownerTarget": "there is no extension relay",
    "clamps overflowing navigation timeouts for Chrome MCP": "a budget above one day is refused",
    "rejects tab creation for an unknown profile": "a profile is a task, and a task exists once a "
    "request names it",
    "POST /tabs/open?profile=unknown returns 404": "the same",
    "forwards explicit browser proxy policy through file-chooser interactions": "tests a mock; the "
    "proxy is a property of the browser here",
    "trace stop rejects symlinked write path escape under trace dir": "a trace's name has no "
    "folders, and a file is written beside its name and renamed, so no link is followed",
    "trace writes reject symlink escapes": "the same",
    "blocks %s %s on disallowed current tab URLs": "the network policy stops the page's requests, "
    "so no tab shows such a page",
    "blocks $method $path on disallowed current tab URLs": "the same",
    "blocks disallowed snapshot tabs before reading Playwright browser state": "the same",
    "agent contract: snapshot blocks pending dialog state on disallowed current tab URLs": "the "
    "same",
    "allows resizing a disallowed tab": "the same",
    "keeps a disallowed tab close bound to the tab it closed": "the same",
    "allows tab-management act:$kind on disallowed current tab URLs": "the same",
    "downloads the current document into managed storage with navigation policy and request "
    "ownership": "POST /download takes the url instead of currentDocument",
    "cancels a download when its HTTP caller disconnects": "tests a mock; tests/browser/surfaces/"
    "http/test_budgets.py disconnects during real calls",
}
"""The cases in which Tabwarden differs, with the reason."""


class Failed(Exception):
    """An answer differs from what upstream's tests expect."""


class Judged:
    """The server with a fresh tab on the page. Each method sends one request."""

    def __init__(self, http: httpx2.Client, page: str, folder: Path) -> None:
        self._http, self.page, self.folder = http, page, folder

    def fresh(self) -> None:
        """Close all tabs except a new tab with the page."""
        before = self.get("/tabs")["tabs"]
        self.post("/tabs/open", {"url": self.page})
        for tab in before:
            self._http.delete(f"/tabs/{tab['tabId']}")

    def get(self, path: str, status: int = 200) -> dict[str, Any]:
        return self._checked(f"GET {path}", self._http.get(path), status)

    def delete(self, path: str, status: int = 200, **expected: Any) -> dict[str, Any]:
        return self._checked(f"DELETE {path}", self._http.delete(path), status, **expected)

    def post(
        self, path: str, fields: Given, status: int | None = 200, **expected: Any
    ) -> dict[str, Any]:
        """Send a request. ``expected`` has fields of the answer; of ``error``, a part."""
        answer = self._http.post(path, json=dict(fields))
        return self._checked(f"POST {path} {fields}"[:300], answer, status, **expected)

    def act(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        return self.post("/act", {"kind": kind, **fields}, ok=True)

    def refused(self, fields: Given, error: str, code: str = "ACT_INVALID_REQUEST") -> None:
        status = 403 if code in ("ACT_TARGET_ID_MISMATCH", "ACT_EVALUATE_DISABLED") else 400
        self.post("/act", fields, status, error=error, code=code)

    def digits(self, name: str) -> str:
        """Return an element's ref as upstream's clients may write it: digits only."""
        refs = self.get("/snapshot")["refs"]
        found: str = next(ref for ref, one in refs.items() if one["name"] == name)
        return found.removeprefix("e")

    def _checked(
        self, what: str, answer: httpx2.Response, status: int | None, **expected: Any
    ) -> dict[str, Any]:
        body: dict[str, Any] = answer.json()
        if status is not None and answer.status_code != status:
            raise Failed(f"{what}: status {answer.status_code} instead of {status}: {body}")
        for name, wanted in expected.items():
            got = body.get(name)
            fits = wanted in str(got) if name == "error" else got == wanted
            if not fits:
                raise Failed(f"{what}: {name} is {got!r} instead of {wanted!r}")
        return body


def _case(*names: str) -> Callable[[Callable[[Judged], None]], Callable[[Judged], None]]:
    def register(run: Callable[[Judged], None]) -> Callable[[Judged], None]:
        CASES.update(dict.fromkeys(names, run))
        return run

    return register


def _must(fits: object, what: str) -> None:
    if not fits:
        raise Failed(what)


@_case(
    "trace stop rejects traversal path outside trace dir",
    "trace stop returns the path committed by the Playwright trace owner",
    "trace stop accepts in-root relative output path",
)
def _traces(api: Judged) -> None:
    api.post("/trace/start", {"screenshots": True}, ok=True)
    outside = "../../../../pwned.zip"
    api.post("/trace/stop", {"path": outside}, 403, error="outside the trace folder")
    path = Path(api.post("/trace/stop", {"path": "trace.zip"}, ok=True)["path"])
    _must(path.name == "trace.zip" and path.is_file(), f"no trace at {path}")


@_case("returns ACT_KIND_REQUIRED when kind is missing")
def _no_kind(api: Judged) -> None:
    api.post("/act", {"ref": "5"}, 400, code="ACT_KIND_REQUIRED")


@_case(
    "returns ACT_INVALID_REQUEST for malformed action payloads",
    "rejects malformed batch actions before dispatch",
)
def _malformed(api: Judged) -> None:
    api.refused({"kind": "click", "ref": {}}, "click requires ref or selector")
    batch = {"kind": "batch", "actions": [{"kind": "click", "ref": {}}]}
    api.refused(batch, "click requires ref or selector")


@_case("returns ACT_INVALID_REQUEST for malformed coordinate clicks")
def _coordinates(api: Judged) -> None:
    given = {"kind": "clickCoords", "x": -1, "y": 20}
    api.refused(given, "clickCoords requires non-negative x and y")


@_case(
    "rejects action target overrides: $error",
    "returns ACT_TARGET_ID_MISMATCH for batched action targetId overrides",
    "returns ACT_TARGET_ID_MISMATCH for top-level action targetId overrides",
    "rejects batched action targetId overrides before dispatch",
)
def _targets(api: Judged) -> None:
    click = {"kind": "click", "ref": "5"}
    batch = {"kind": "batch", "actions": [{**click, "targetId": "other-tab"}]}
    words = "action targetId must match request targetId"
    api.refused(batch, f"batched {words}", "ACT_TARGET_ID_MISMATCH")
    api.refused({**click, "targetId": 12345}, words, "ACT_TARGET_ID_MISMATCH")


@_case(
    "canonicalizes request and batch target aliases with the resolved proxy policy",
    "accepts tabId aliases for top-level action targetId",
    "accepts tabId aliases for batched action targetIds",
)
def _aliases(api: Judged) -> None:
    (tab,) = api.get("/tabs")["tabs"]
    for name in (tab["tabId"], tab["targetId"][:-4]):
        click = {"kind": "click", "selector": "button.save", "targetId": name}
        api.post("/act", click, ok=True, targetId=tab["targetId"])
        api.act("batch", targetId=name, actions=[click])


@_case("returns blocked dialog state for action-triggered modals")
def _modals(api: Judged) -> None:
    body = api.post("/act", {"kind": "click", "selector": "#ask"}, blockedByDialog=True)
    pending = body["browserState"]["dialogs"]["pending"]
    _must(pending[0]["message"] == "Continue?", f"pending: {pending}")
    api.post("/hooks/dialog", {"accept": True, "dialogId": pending[0]["id"]}, ok=True)


@_case("returns action download metadata from /act responses")
def _downloads(api: Judged) -> None:
    body = api.act("batch", actions=[{"kind": "click", "selector": "#get"},
                                     {"kind": "wait", "download": True}])  # fmt: skip
    found = [one for result in body["results"] for one in result.get("downloads", ())]
    _must(found and found[-1].keys() >= {"url", "suggestedFilename", "path"}, f"{body}")


@_case("returns ACT_SELECTOR_UNSUPPORTED for selector on unsupported action kinds")
def _selectors(api: Judged) -> None:
    given = {"kind": "evaluate", "fn": "() => 1", "selector": "#submit"}
    api.refused(given, "'selector' is not supported", "ACT_SELECTOR_UNSUPPORTED")


@_case(
    "returns ACT_INVALID_REQUEST for malformed unsupported selector actions before selector gating"
)
def _press(api: Judged) -> None:
    api.refused({"kind": "press", "selector": "#submit"}, "press requires key")


@_case(
    "blocks evaluation while preserving cookie and storage reads",
    "returns ACT_EVALUATE_DISABLED when evaluate is blocked by config",
)
def _no_scripts(api: Judged) -> None:
    environment = {"TABWARDEN_BROWSER__EVALUATE_ENABLED": "false"}
    with serving(api.folder, **environment) as http:
        other = Judged(http, api.page, api.folder)
        other.post("/navigate", {"url": api.page}, ok=True)
        given = {"kind": "evaluate", "fn": "() => 1"}
        # Upstream writes the key as browser.evaluateEnabled.
        other.refused(given, "browser.evaluate_enabled=false", "ACT_EVALUATE_DISABLED")
        _must(other.get("/cookies")["ok"], "cookies")
        _must(other.get("/storage/local?key=token")["ok"], "storage")


@_case("agent contract: snapshot endpoints")
def _snapshots(api: Judged) -> None:
    for query, form in (("format=aria&limit=1", "aria"), ("format=ai", "ai"),
                        ("format=ai&maxChars=0", "ai"),
                        ("format=ai&interactive=true", "ai")):  # fmt: skip
        body = api.get(f"/snapshot?{query}")
        _must(body["ok"] and body["format"] == form, f"{query}: {body['format']}")


@_case("agent contract: snapshot surfaces pending dialog state without reading the blocked page")
def _blocked(api: Judged) -> None:
    api.act("click", selector="#ask")
    body = api.get("/snapshot?format=ai")
    # Upstream's snapshot is "" here; Tabwarden's is the last known outline, marked STALE.
    _must(body["blockedByDialog"], "blockedByDialog")
    (pending,) = body["browserState"]["dialogs"]["pending"]
    _must(pending["message"] == "Continue?", f"pending: {pending}")
    api.post("/hooks/dialog", {"accept": True}, ok=True)


@_case("agent contract: navigation + common act commands")
def _common(api: Judged) -> None:
    body = api.post("/navigate", {"url": api.page}, ok=True)
    _must(isinstance(body["targetId"], str), "targetId")
    save, name = api.digits("Save"), api.digits("Name")
    for given in (
        {"kind": "click", "ref": save, "button": "left", "modifiers": ["Shift"]},
        {"kind": "click", "selector": "button.save"},
        {"kind": "clickCoords", "x": "42.5", "y": 64, "doubleClick": "true", "button": "left",
         "delayMs": "10"},
        {"kind": "type", "ref": name, "text": ""},
        {"kind": "press", "key": "Enter"},
        {"kind": "press", "key": "Ctrl+Shift+Esc"},
        {"kind": "hover", "ref": save},
        {"kind": "scrollIntoView", "ref": save},
        {"kind": "drag", "startRef": save, "endRef": name},
    ):  # fmt: skip
        api.post("/act", given, ok=True, url=api.page)


@_case("POST /tabs/open returns 400 for invalid URLs")
def _urls(api: Judged) -> None:
    api.post("/tabs/open", {"url": "not a url"}, 400, error="Invalid URL:")


@_case("agent contract: form + layout act commands")
def _forms(api: Judged) -> None:
    name, choice = api.digits("Name"), api.digits("Choice")
    api.act("select", ref=choice, values=["a", "", "  spaced  "])
    # Upstream also takes fields without a value, and empties them.
    for field in ({"type": "textbox", "value": "hello"}, {"value": "world"},
                  {"type": "   ", "value": "trimmed-default"}, {"value": ""}):  # fmt: skip
        api.act("fill", fields=[{"ref": name, **field}])
    api.act("resize", width=800, height=600)
    api.act("wait", timeMs=5)
    api.post("/act", {"kind": "evaluate", "fn": "() => 'ok'"}, result="ok")
    fields = [{"ref": name, "value": "a"}, {"ref": name, "value": "Neo", "text": "b"}]
    api.refused({"kind": "fill", "fields": fields}, 'fields[1] unsupported field key "text"')
    for width, error in (
        (0, "resize requires positive width and height"),
        (-800, "resize requires positive width and height"),
        (8193, "resize width and height must not exceed 8192"),
    ):
        api.refused({"kind": "resize", "width": width, "height": 600}, error)


@_case(
    "normalizes batch actions and threads evaluateEnabled into the batch executor",
    "preserves exact type text in batch normalization",
)
def _batches(api: Judged) -> None:
    actions = [
        {"kind": "click", "selector": "button.save", "doubleClick": "true", "delayMs": "25"},
        {"kind": "wait", "fn": " () => window.ready === true "},
        {"kind": "type", "selector": "input.name", "text": "  padded  "},
        {"kind": "type", "selector": "input.clearable", "text": ""},
        {"kind": "select", "selector": "select.choice", "values": ["", "  spaced  "]},
    ]
    api.act("batch", stopOnError="false", actions=actions)
    script = "[...document.querySelectorAll('.name, .clearable')].map(one => one.value)"
    api.post("/act", {"kind": "evaluate", "fn": script}, result=["  padded  ", ""])


@_case("rejects oversized batch delays before dispatch")
def _delays(api: Judged) -> None:
    click = {"kind": "click", "selector": "button.save", "delayMs": 5001}
    given = {"kind": "batch", "actions": [click]}
    api.refused(given, "click delayMs exceeds maximum of 5000ms")


@_case("rejects oversized top-level batches before dispatch")
def _long_batches(api: Judged) -> None:
    given = {"kind": "batch", "actions": [{"kind": "press", "key": "Enter"}] * 101}
    api.refused(given, "batch exceeds maximum of 100 actions")


@_case(
    "rejects loose response body numeric options before dispatch",
    "rejects loose hook and download timeout options before dispatch",
)
def _numbers(api: Judged) -> None:
    for path, given, field in (
        ("/response/body", {"url": "**/api/data", "timeoutMs": "1e3"}, "timeoutMs"),
        ("/response/body", {"url": "**/api/data", "maxChars": "0x10"}, "maxChars"),
        ("/hooks/file-chooser", {"paths": ["a.txt"], "timeoutMs": "1e3"}, "timeoutMs"),
        ("/hooks/dialog", {"accept": True, "timeoutMs": "0x10"}, "timeoutMs"),
        ("/wait/download", {"path": "report.pdf", "timeoutMs": "1000ms"}, "timeoutMs"),
        ("/download", {"ref": "e12", "path": "report.pdf", "timeoutMs": "1.5"}, "timeoutMs"),
    ):
        api.post(path, given, 400, error=f"{field} must be a positive integer.")


@_case("agent contract: hooks + response + downloads + screenshot")
def _hooks(api: Judged) -> None:
    (api.folder / "a.txt").write_text("a")
    file = api.digits("File")
    api.post("/hooks/file-chooser", {"paths": ["a.txt"], "timeoutMs": 1234}, ok=True)
    for place in ({"ref": file}, {"inputRef": file}, {"element": "input[type=file]"}):
        api.post("/hooks/file-chooser", {"paths": ["a.txt"], **place}, ok=True)
    # Upstream's mock takes any dialogId; here the dialog must be open, or the id left out.
    api.post("/hooks/dialog", {"accept": True, "timeoutMs": 5678}, ok=True)
    api.act("click", selector="#ask")
    api.post("/download", {"ref": api.digits("Get"), "path": "report.pdf"}, ok=True)
    api.act("click", selector="#get")
    api.post("/wait/download", {"path": "report.pdf", "timeoutMs": 5000}, ok=True)
    api.get("/requests")
    api.act("evaluate", fn="fetch('/api/data').then(got => got.text())")
    given = {"url": "**/api/data", "timeoutMs": 5000, "maxChars": 200}
    api.post("/response/body", given, ok=True)
    _must(api.get("/console?level=error")["messages"] == [], "console")
    for path, fields in (("/pdf", {}),
                         ("/screenshot", {"element": "body", "type": "jpeg",
                                          "timeoutMs": 3333})):  # fmt: skip
        _must(Path(api.post(path, fields, ok=True)["path"]).is_file(), path)


@_case("blocks file chooser traversal / absolute paths outside uploads dir")
def _uploads(api: Judged) -> None:
    for path in ("../../../../etc/passwd", "/etc/passwd"):
        api.post("/hooks/file-chooser", {"paths": [path]}, None, error="Invalid path")


@_case(
    "wait/download rejects traversal path outside downloads dir",
    "download rejects traversal path outside downloads dir",
    "wait/download rejects symlinked write path escape under downloads dir",
    "download rejects symlinked write path escape under downloads dir",
)
def _paths(api: Judged) -> None:
    link, ref = api.folder / "escape", api.digits("Get")
    with tempfile.TemporaryDirectory() as outside:
        link.symlink_to(outside)
        for path in ("../../pwned.pdf", "escape/pwned.pdf"):
            api.post("/wait/download", {"path": path}, None, error="Invalid path")
            given = {"ref": ref, "path": path}
            api.post("/download", given, None, error="Invalid path")
        link.unlink()


@_case(
    "wait/download accepts in-root relative output path",
    "download accepts in-root relative output path",
)
def _relative(api: Judged) -> None:
    given = {"ref": api.digits("Get"), "path": "safe-download.pdf"}
    body = api.post("/download", given, ok=True)
    _must("safe-download" in body["download"]["path"], f"{body}")
    api.act("click", selector="#get")
    body = api.post("/wait/download", {"path": "safe-wait.pdf"}, ok=True)
    _must("safe-wait" in body["download"]["path"], f"{body}")


@_case("rejects ambiguous or incomplete current-document download input %j")
def _current_document(api: Judged) -> None:
    for given in (
        {"currentDocument": True},
        {"currentDocument": True, "expectedUrl": "https://example.com", "path": "chosen.png"},
        {"currentDocument": "true", "expectedUrl": "https://example.com"},
        {"expectedUrl": "https://example.com", "ref": "e1", "path": "chosen.png"},
    ):
        api.post("/download", given, 400)


@_case("validates profile create/delete endpoints")
def _profiles(api: Judged) -> None:
    # Upstream's default profile is "openclaw", Tabwarden's is "default".
    for given, status, error in (
        ({}, 400, "name is required"),
        ({"name": "Invalid Name!"}, 400, "invalid profile name"),
        ({"name": "default"}, 409, "already exists"),
        ({"name": "badremote", "cdpUrl": "ftp://bad"}, 501, "cdpUrl"),  # upstream: 400
    ):
        api.post("/profiles/create", given, status, error=error)
    api.post("/profiles/create", {"name": "made"}, profile="made", transport="cdp")
    api.delete("/profiles/made")
    api.delete("/profiles/nonexistent", 404, error="not found")
    api.delete("/profiles/default", 400, error="cannot delete the default profile")
    api.delete("/profiles/Invalid-Name!", 400, error="invalid profile name")


@_case("agent contract: stop endpoint")
def _stop(api: Judged) -> None:
    api.post("/stop", {}, ok=True, stopped=True)
    api.post("/start", {}, ok=True)


# -- running ---------------------------------------------------------------------------------


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        page = self.path == "/"
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if page else "application/pdf")
        self.end_headers()
        self.wfile.write(PAGE if page else b"%PDF-1.4")

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def site() -> Iterator[str]:
    """Serve the page. Yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[httpx2.Client]:
    """Start ``tabwarden serve`` with ``folder`` for uploads and downloads. Yield a client."""
    token = secrets.token_urlsafe()
    given = {
        "TABWARDEN_SERVER__TOKEN": token,
        "TABWARDEN_BROWSER__UPLOAD_DIR": str(folder),
        "TABWARDEN_BROWSER__DOWNLOAD_DIR": str(folder),
        **environment,
    }
    with subprocess.Popen(
        [Path(sys.executable).with_name("tabwarden"), "serve", "--port", "0"],
        env={**os.environ, **given},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stderr)))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        headers = {"Authorization": f"Bearer {token}"}
        try:
            with httpx2.Client(
                base_url=found[0], headers=headers, timeout=60, trust_env=False
            ) as http:
                yield http
        finally:
            process.terminate()
            process.wait(30)


def judge(only: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name of each case, and how it failed ("" if it passed)."""
    with tempfile.TemporaryDirectory() as folder, site() as page, serving(Path(folder)) as http:
        api = Judged(http, page, Path(folder))
        api.post("/start", {})
        results: dict[Callable[[Judged], None], str] = {}
        for name, run in CASES.items():
            if only not in name:
                continue
            if run not in results:
                api.fresh()
                try:
                    run(api)
                    results[run] = ""
                except (Failed, httpx2.HTTPError, LookupError, StopIteration) as error:
                    results[run] = f"{type(error).__name__}: {error}"
            yield name, results[run]


def unknown(checkout: Path) -> list[str]:
    """Return upstream's cases that neither ``CASES`` nor ``APART`` has."""
    folder = checkout / "extensions" / "browser" / "src" / "browser"
    files = sorted(folder.glob("server.agent-contract*.test.ts")) if folder.is_dir() else [checkout]
    named = re.compile(r"""(?<!describe)\(\s*"(\w+[ /][^"\n]+)",\s*(?:async\s*)?\(""")
    found = {name for file in files for name in named.findall(file.read_text("utf-8"))}
    return sorted(found - CASES.keys() - APART.keys())


def main() -> int:
    """Run the cases. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", nargs="?", type=Path, help="openclaw/openclaw, or a test file")
    parser.add_argument(
        "-k", dest="only", default="", help="only cases whose name contains this text"
    )
    given = parser.parse_args()
    failed = 0
    for name, why in judge(given.only):
        print(f"{'FAIL' if why else 'ok  '} {name}{': ' if why else ''}{why}", flush=True)
        failed += bool(why)
    for name, reason in APART.items():
        print(f"--   {name}: {reason}")
    missing = unknown(given.checkout) if given.checkout else []
    for name in missing:
        print(f"NEW  {name}")
    print(f"{len(CASES) - failed} pass, {failed} fail, {len(APART)} differ, {len(missing)} are new")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
