"""A page that has got a secret shows it everywhere: nothing that leaves the process has it."""

from __future__ import annotations

import base64
import json
import logging
import zipfile
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from support.site import Site

from tabwarden.actions import ACTIONS, Answer, Session, dispatch
from tabwarden.actions.sessions.opening import session_of
from tabwarden.config import BrowserConfig, load_config

pytestmark = pytest.mark.anyio

SECRET = 'Wq7"&/hunter2'
"""Its forms in JSON, HTML, URLs and base64 all differ."""
FORMS = [
    SECRET, json.dumps(SECRET)[1:-1], json.dumps(json.dumps(SECRET))[3:-3],
    "Wq7&quot;&amp;/hunter2", quote(SECRET, safe=""), quote(SECRET),
    base64.b64encode(SECRET.encode()).decode(),
]  # fmt: skip
PAGE = """<h1>Shop</h1><input aria-label=Word><input aria-label=Copy>
<input type=file aria-label=File>
<select aria-label=Size><option>S<option>M</select><button id=card>Card</button>
<p id=p></p><p id=two></p>
<pre id=b></pre><div id=list></div><a id=link>Get</a><button id=ask>Ask</button>
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
};
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


@pytest.fixture
def config(site: Site, tmp_path: Path) -> BrowserConfig:
    secrets = {"WORD": {"value": SECRET, "origins": [site.here]}}
    folders = {key: tmp_path / key for key in ("trace_dir", "download_dir", "state_dir", "record")}
    har = tmp_path / "record/a.har"
    return load_config(None, secrets=secrets, record_har=har, **folders).browser


@pytest.fixture
async def session(config: BrowserConfig) -> AsyncIterator[Session]:
    made = session_of(config)
    yield made
    await made.close()


def told(answer: Answer) -> str:
    return f"{answer.text}\n{json.dumps(answer.data, default=str)}\n{answer.data!r}\n{answer.state}"


def leak_in(text: str) -> str:
    """Return the place in a text where a form of the secret is; "" if there is none."""
    places = (text.lower().find(form.lower()) for form in FORMS)
    return next((text[max(0, at - 100) : at + 60] for at in places if at >= 0), "")


def _files_in(folder: Path) -> list[Path]:
    return [*folder.glob("*")]


def _texts_of(path: Path) -> Iterator[str]:
    yield path.name + path.read_bytes().decode("latin-1")
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name).decode("latin-1") for name in archive.namelist())


@pytest.mark.threat
async def test_nothing_that_leaves_the_process_has_a_secret(
    session: Session,
    config: BrowserConfig,
    site: Site,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, logger="tabwarden")
    site.page("/", PAGE)
    site.pages["/echo"] = site.pages["/file"] = echo
    said: list[tuple[str, str]] = []

    async def call(name: str, /, **given: Any) -> Answer:
        answer = await dispatch(session, config, f"browser_{name}", given)
        said.append((name, told(answer)))
        return answer

    await call("navigate", url=f"{site.here}/")
    await call("network")
    page = await call("snapshot")
    browser = session.current
    assert browser is not None
    events = browser.events()
    named = {one["name"]: ref for ref, one in (await browser.snapshot()).refs.items()}
    filled = await call("type", ref=named["Word"], text="{{WORD}}", snapshot="full")
    assert not filled.is_error, filled.text
    assert "{{WORD}}" in filled.text + (await call("snapshot", full=True)).text, page.text
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
    events.close()
    said += [("events", repr(one)) for one in events]
    await session.close()
    said.append(("logs", "\n".join(str(vars(one)) for one in caplog.records)))
    found = {name: found for name, text in said if (found := leak_in(text))}
    files = [*_files_in(tmp_path / "trace_dir"), *_files_in(tmp_path / "record")]
    found |= {path.name: at for path in files for text in _texts_of(path) if (at := leak_in(text))}
    assert not found, found
    assert {".har", ".zip"} <= {path.suffix for path in files}
