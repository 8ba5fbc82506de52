"""A page that knows a secret shows it everywhere: no output of the process contains it."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest
from click.testing import CliRunner
from PIL import ImageDraw
from support.local_fleet import LocalFleet
from support.site import Site
from support.writings import WRITINGS, written
from websockets.sync.server import ServerConnection, serve

from tabwarden.actions import ACTIONS, Answer, dispatch
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig, load_config
from tabwarden.fleet import show_metrics_of
from tabwarden.recording import Trace
from tabwarden.recording.titles import error_of, notice_title, remarks_of, title_of
from tabwarden.surfaces.cli.group import main
from tabwarden.telemetry import render

SECRET = 'Wq7"&/hunter2'
"""Its JSON, HTML, URL and base64 encodings all differ."""
PAGE = """<h1>Shop</h1><input aria-label=Word><input aria-label=Copy>
<input type=file aria-label=File>
<select aria-label=Size><option>S<option>M</select><button id=card>Card</button>
<p id=p></p><p id=two></p>
<pre id=b></pre><div id=list></div><a id=link>Get</a><button id=ask>Ask</button>
<button id=save>Save</button>
<script>
const word = document.querySelector('input');
word.oninput = () => {
  const text = word.value;
  document.title = 'title ' + text;
  document.querySelector('[aria-label=Copy]').value = text;
  p.textContent = 'you wrote ' + text;
  two.innerHTML = '<b></b><i></i>';
  two.firstChild.textContent = text.slice(0, 4);
  two.lastChild.textContent = text.slice(4);
  b.textContent = btoa(text) + ' ' + encodeURIComponent(text) + ' ' + JSON.stringify({text});
  card.setAttribute('aria-label', text);
  document.querySelector('select').options[0].textContent = text;
  history.replaceState(null, '', '?w=' + encodeURIComponent(text) + '#' + text);
  console.log(text, {text}); console.error(new Error(text));
  document.cookie = 'w=' + encodeURIComponent(text);
  localStorage.w = text; localStorage[text] = 1;
  fetch('/echo?' + encodeURIComponent(text),
    {method: 'POST', body: text, headers: {'X-W': btoa(text)}});
  link.href = '/file?' + encodeURIComponent(text); link.download = text + '.txt';
  ask.onclick = () => setTimeout(() => prompt(text, text), 50);
  fetch('/written', {method: 'POST', body: text}).then(answer => answer.json()).then(show);
};
const socket = new WebSocket('SOCKET');
function show(every) {
  for (const form of every) {
    const line = document.createElement('p');
    line.textContent = line.title = form;
    document.body.append(line);
    console.log(form);
    localStorage['form ' + form] = form;
    socket.send(form);
    fetch('/echo?' + form.replaceAll('#', '%23'), {method: 'POST', body: form});
  }
  const names = every.filter(form => !/[/\\\\\\n]/.test(form));
  save.onclick = () => names.forEach((name, n) => setTimeout(() => {
    const file = document.createElement('a');
    Object.assign(file, {href: 'data:text/plain,x', download: name + '.txt'});
    file.click();
  }, 100 * n));
  document.title = 'shown ' + every.join(' ');
}
</script>"""


def echo(request: BaseHTTPRequestHandler) -> None:
    body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
    request.send_response(200)
    request.send_header("X-Back", request.headers.get("X-W", ""))
    request.send_header("Content-Type", "text/plain")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


LEFT = {"browser_open", "browser_connect", "browser_disconnect", "browser_close"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {"full": True}), ("snapshot", {"diff": True}), ("find", {"text": "hunter2"}),
    ("find", {"css": "p, input"}), ("scrape", {}), ("scrape", {"format": "html"}),
    ("scrape", {"format": "text"}), ("console", {}), ("network", {}),
    ("network", {"request_id": "last"}), ("cookies", {"values": True}),
    ("storage", {"mode": "get", "values": True}), ("storage_state", {"mode": "save"}),
    ("evaluate", {"script": "[document.title, {[word.value]: btoa(word.value)}, location.href]"}),
    ("evaluate", {"script": "throw new Error(word.value)"}),
    ("evaluate", {"script": "document.body.outerHTML"}),
    ("cdp", {"method": "DOM.getDocument", "params": {"depth": -1}}),
    ("cdp", {"method": "Runtime.evaluate", "params": {"expression": "word.value"}}),
    ("tabs", {"mode": "list"}), ("wait", {"text": "you wrote", "timeout_ms": 800}),
    ("select", {"ref": "e4", "labels": ["no such"]}), ("hover", {"ref": "Card"}),
    ("press", {"key": "Tab"}), ("scroll", {}), ("highlight", {"ref": "Copy", "duration_s": 1}),
    ("screenshot", {"annotate": True}), ("clipboard", {"mode": "read"}),
    ("resize", {"width": 800, "height": 600}),
    ("emulate", {"color_scheme": "dark"}), ("upload", {"ref": "File", "filenames": ["no.txt"]}),
    ("fill_form", {"fields": [{"ref": "Copy", "value": "x"}]}), ("trace", {}),
    ("drag", {"from_ref": "e1", "to_ref": "e2"}),
    ("permission", {"name": "camera", "setting": "denied"}), ("pdf", {}),
    ("batch", {"steps": [{"action": "evaluate", "script": "word.value"}]}),
    ("click", {"ref": "Ask"}), ("dialog", {"action": "accept", "prompt_text": "no"}),
    ("click", {"ref": "Get"}), ("reload", {}), ("back", {}), ("forward", {}), ("snapshot", {}),
    ("download", {"url": "/file"}), ("auth", {"username": "{{WORD}}"}), ("choose", {"choice": "x"}),
    ("handoff", {"reason": "x", "timeout_ms": 500}), ("navigate", {"url": "/?end"}),
]  # fmt: skip


class Page(NamedTuple):
    config: BrowserConfig
    site: Site
    fleet: LocalFleet | None


def written_down(request: BaseHTTPRequestHandler) -> None:
    """Pass the secret to the page in each encoding."""
    text = request.rfile.read(int(request.headers["Content-Length"])).decode()
    body = json.dumps([form for _, form in written(text)]).encode()
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def echoed(connection: ServerConnection) -> None:
    for message in connection:
        connection.send(message)


def told(answer: Answer) -> str:
    return f"{answer.text}\n{json.dumps(answer.data, default=str)}\n{answer.data!r}\n{answer.state}"


def leak_in(text: str, writing: str) -> str:
    """Return the text around an encoding of the secret, or ""."""
    form = WRITINGS[writing](SECRET).lower()
    at = text.lower().find(form)
    return text[max(0, at - 100) : at + len(form) + 60] if at >= 0 else ""


def _files_in(folder: Path) -> list[Path]:
    return [*folder.glob("*")]


def _texts_of(path: Path) -> Iterator[str]:
    yield path.name + path.read_bytes().decode("latin-1")
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name).decode("latin-1") for name in archive.namelist())


class Heard(logging.Handler):
    """Store all log records."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(str(vars(record)))


@contextmanager
def drawn() -> Iterator[list[str]]:
    """Store each text that is drawn on a video image."""
    texts: list[str] = []
    draw = ImageDraw.ImageDraw.text

    def keep(self: ImageDraw.ImageDraw, place: Any, text: str, *given: Any, **more: Any) -> None:
        texts.append(text)
        draw(self, place, text, *given, **more)

    with mock.patch.object(ImageDraw.ImageDraw, "text", keep):
        yield texts


@contextmanager
def one_node(folder: Path) -> Iterator[LocalFleet]:
    fleet = LocalFleet(folder / "fleet.sqlite").start()
    try:
        fleet.add("n1")
        yield fleet
    finally:
        fleet.stop()


@pytest.fixture(scope="module", params=["here", pytest.param("fleet", marks=pytest.mark.long)])
def exits(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """All that leaves while a page shows the secret in every writing, by the way out: a page of a
    browser here, or of one behind the relay of a fleet's node."""
    folder = tmp_path_factory.mktemp("leaks")
    with (
        Site() as site,
        serve(echoed, "127.0.0.1", 0) as sockets,
        one_node(folder) if request.param == "fleet" else nullcontext() as fleet,
        drawn() as captions,
    ):
        threading.Thread(target=sockets.serve_forever, daemon=True).start()
        port = sockets.socket.getsockname()[1]
        site.page("/", PAGE.replace("SOCKET", f"ws://127.0.0.1:{port}/"))
        site.pages["/echo"] = site.pages["/file"] = echo
        site.pages["/written"] = written_down
        secrets = {"WORD": {"value": SECRET, "origins": [site.here]}}
        folders = {
            key: folder / key for key in ("trace_dir", "download_dir", "state_dir", "record")
        }
        record = {"record_har": folder / "record/a.har", "record_video": folder / "record/a.webm"}
        where = {"endpoint": f"fleet:?cluster={fleet.address}"} if fleet else {}
        config = load_config(None, secrets=secrets, **record, **where, **folders).browser
        logger, heard = logging.getLogger("tabwarden"), Heard()
        before = logger.level
        logger.setLevel(logging.DEBUG)
        logger.addHandler(heard)
        try:
            said = asyncio.run(_said(Page(config, site, fleet)))
        finally:
            logger.setLevel(before)
            logger.removeHandler(heard)
    said.append(("logs", "\n".join(heard.lines)))
    files = [path for name in ("trace_dir", "record") for path in _files_in(folder / name)]
    said += [(f"file {path.name}", text) for path in files for text in _texts_of(path)]
    said += [("file names", "\n".join(path.name for path in folder.rglob("*")))]
    said += [("captions", _captions(path)) for path in files if path.suffix == ".zip"]
    said.append(("video", "\n".join(captions)))
    found: dict[str, str] = {}
    for name, text in said:
        found[name] = found.get(name, "") + text
    return found


def _captions(path: Path) -> str:
    """The texts that a trace's video would show."""
    trace = Trace.open(path)
    calls = [line for one in trace.calls for line in (title_of(one), error_of(one))]
    remarks = [line for one in trace.calls for line in remarks_of(one)]
    return "\n".join([*calls, *remarks, *map(notice_title, trace.notices)])


async def _said(page: Page) -> list[tuple[str, str]]:
    config, site, fleet = page
    session = session_of(config)
    said: list[tuple[str, str]] = []

    async def call(name: str, /, **given: Any) -> Answer:
        answer = await dispatch(session, config, f"browser_{name}", given)
        said.append((name, told(answer)))
        return answer

    await call("navigate", url=f"{site.here}/")
    await call("network")
    first = await call("snapshot")
    browser = session.current
    assert browser is not None
    events = browser.events()
    named = {one["name"]: ref for ref, one in (await browser.snapshot()).refs.items()}
    filled = await call("type", ref=named["Word"], text="{{WORD}}", snapshot="full")
    assert not filled.is_error, filled.text
    await browser.wait(script="document.title.startsWith('shown ')")
    assert "{{WORD}}" in filled.text + (await call("snapshot", full=True)).text, first.text
    await call("click", ref=named["Save"])
    await call("wait", download=True, timeout_ms=4000)
    for one in (await browser.network()).value["requests"]:
        if one["type"] == "websocket" or "written" in one["url"]:
            await call("network", request_id=one["id"])
    listed_here = {f"browser_{name}" for name, _ in CALLS}
    others = [(tool.removeprefix("browser_"), {}) for tool in ACTIONS.keys() - LEFT - listed_here]
    for name, given in [*CALLS, *others]:
        if (of := named.get(given.get("ref", ""))) is not None:
            given = {**given, "ref": of}
        if given.get("url", "").startswith("/"):
            given = {**given, "url": site.here + given["url"]}
        if name == "fill_form":
            given = {"fields": [{"ref": named["Copy"], "value": "x"}]}
        if name == "network" and given:
            listed = (await browser.network()).value
            given = {
                "request_id": next(one["id"] for one in listed["requests"] if "echo" in one["url"])
            }
        await call(name, timeout_ms=given.pop("timeout_ms", 4000), **given)
    said.append(("state", repr(browser.state)))
    said.append(("repr", repr(browser) + str(browser._repr_html_())))
    if fleet is not None:
        said += await asyncio.to_thread(_said_by, fleet)
        fleet.end("n1")
        await call("evaluate", script="word.value", timeout_ms=4000)
        said.append(("fleet without its node", said[-1][1]))
    events.close()
    said += [("events", repr(one)) for one in events]
    await session.close()
    return said


def _said_by(fleet: LocalFleet) -> list[tuple[str, str]]:
    """A fleet's status of nodes and tasks, as JSON, as lines and as metrics."""
    show_metrics_of(fleet.address)
    said = [("fleet metrics", render()[0].decode())]
    for words in product(("status", "nodes", "tasks"), ((), ("--json",))):
        given = ["fleet", words[0], "--address", fleet.address, *words[1]]
        done = CliRunner().invoke(main, given, catch_exceptions=False)
        assert not done.exit_code, done.output
        said.append((f"fleet {words[0]}", done.output))
    return said


@pytest.mark.threat
@pytest.mark.whole
@pytest.mark.parametrize("writing", WRITINGS)
def test_process_output_and_files_contain_no_secret(exits: dict[str, str], writing: str) -> None:
    found = {name: leak for name, text in exits.items() if (leak := leak_in(text, writing))}
    assert not found, json.dumps(found, indent=1)
    assert {"file names", "captions", "logs", "events", "snapshot"} <= exits.keys()
    assert {".har", ".zip", ".webm"} <= {Path(name).suffix for name in exits}
    assert "(secret)" in exits["video"]
    if "fleet status" in exits:
        assert "n1" in exits["fleet status"]
        assert 'fleet_tasks{node="n1"} 1' in exits["fleet metrics"]
        assert "tabwarden.fleet" in exits["logs"]
        assert "the connection to the host closed" in exits["fleet without its node"]
    assert "{{WORD}}" in exits["network"]
