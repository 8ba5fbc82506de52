"""Memory and coverage measurements on real pages."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.site import Site

from tabwarden.config import load_config
from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

LEAK = """class Leak { constructor() { this.text = "x" + Math.random(); } }
window.leaks = []; window.torn = [];
function leak(count) {
  for (let i = 0; i < count; i++) {
    leaks.push(new Leak()); torn.push(document.createElement("section"));
  }
}
function never() { return 1 + 1; }"""


@pytest.mark.long
def test_memory_reports_growth_and_writes_a_heap_snapshot_without_secrets(site: Site) -> None:
    secrets = {"KEY": {"value": "hunter2-secret", "origins": [site.here]}}
    with Browser.launch(config=load_config(None, secrets=secrets).browser) as browser:
        browser.goto(site.page("/", f"<p>hunter2-secret</p><script>{LEAK}</script>"))
        browser.evaluate("window.held = document.querySelector('p').textContent + '!'")
        browser.evaluate("void setInterval(() => leak(300), 100)")
        told = browser.memory(duration_s=1, gc=True).value
        first, last = told["samples"][0], told["samples"][-1]
        assert last["nodes"] > first["nodes"] > 0
        assert last["heap_total"] >= last["heap_used"] > 100_000
        browser.evaluate("leak(3000)")
        heap = browser.memory(filename="page", overwrite=True).value
        leaks = {one["name"]: one["count"] for one in heap["heap"]["classes"]}
        assert leaks["Leak"] >= 3000
        assert {"<section>"} <= {
            one["name"].removeprefix("Detached ") for one in heap["heap"]["detached"]
        }
        file = Path(heap["file"]["path"])
    assert file.name == "page.heapsnapshot"
    text = file.read_text()
    assert json.loads(text)["snapshot"]["node_count"] > 1000
    assert "hunter2-secret" not in text
    assert "{{KEY}}" in text


def test_coverage_measures_a_page_load_and_an_action(browser: Browser, site: Site) -> None:
    site.pages["/app.js"] = LEAK
    sheet = b"p { color: red } .unused { color: blue; border: 1px solid }"

    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/css")
        request.send_header("Content-Length", str(len(sheet)))
        request.end_headers()
        request.wfile.write(sheet)

    site.pages["/s.css"] = respond
    links = "<link rel=stylesheet href=/s.css><script src=/app.js></script>"
    browser.goto(site.page("/", f"{links}<p>hi</p><button onclick='leak(1)'>Leak</button>"))
    told = browser.coverage(duration_s=0.1, filename="used.json").value
    assert {one["url"].partition("?")[0] for one in told["files"]} <= {
        f"{site.here}/", f"{site.here}/app.js", f"{site.here}/s.css"
    }  # fmt: skip
    files = {
        one["type"]: one for one in told["files"] if "app.js" in one["url"] or one["type"] == "css"
    }
    assert files["js"]["bytes"] == len(LEAK)
    unused = LEAK[LEAK.index("function leak") :]
    assert len(unused) * 0.8 < files["js"]["unused_bytes"] <= len(unused) + 60
    assert 40 < files["css"]["unused_bytes"] < 50
    ranges = {one["url"]: one["used"] for one in json.loads(Path(told["file"]["path"]).read_text())}
    assert ranges[f"{site.here}/s.css"] == [[0, 16]]
    with pytest.raises(InvalidArgument) as refused:
        browser.coverage("stop")
    assert refused.value.data["field"] == "mode"
    browser.coverage("start")
    with pytest.raises(InvalidArgument, match="already"):
        browser.coverage("start")
    browser.click(browser.find(role="button").value["found"][0]["ref"])
    (js,) = [one for one in browser.coverage("stop").value["files"] if "app.js" in one["url"]]
    assert js["unused_bytes"] < len(LEAK)


@pytest.mark.parametrize("tool", ["memory", "coverage"])
def test_memory_and_coverage_reject_an_unsupported_file_extension(
    browser: Browser, tool: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        getattr(browser, tool)(filename="x.txt")
    assert refused.value.data["field"] == "filename"
