"""`tabwarden trace` saves, lists, reads and shows traces without Playwright."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import shell
from support.eventually import eventually
from support.site import Site

from tabwarden.recording import Trace
from tabwarden.surfaces.cli.commands.browser.traces import TraceServer
from tabwarden.sync import Browser


@pytest.mark.long
def test_trace_command_saves_lists_reads_and_shows_a_trace(
    browser: Browser, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests' incidents leave traces in the folder that all tests share.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    page = site.page("/", "<title>Shop</title><button onclick='this.remove()'>Buy</button>")
    with shell(tmp_path) as sh:
        sh.ok("open", page)
        sh.ok("click", sh.ref("Buy"))
        sh.ok("handoff", "Sign in", "--timeout-ms", "300")
        sh.ok("handoffs", "done", "h-1", "You are in.")
        saved = Path(sh.json("trace", "save", "--filename", "shop.zip")["value"]["path"])
        (listed,) = sh.ok("trace", "list").splitlines()
        assert listed.endswith(f" kB  {saved}")
        lines = sh.ok("trace", "text", str(saved)).splitlines()
        sh.ok("close")
        assert "nothing.zip" in sh.fail("trace", "text", "nothing.zip", status=2)
    assert [line for line in lines if 'click button "Buy"' in line]
    (answered,) = (at for at, line in enumerate(lines) if ': answer "Sign in"' in line)
    assert lines[answered + 2].strip() == 'wrote "You are in."'
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # no Playwright
    with TraceServer(Trace.open(saved), saved) as server:
        threading.Thread(target=server.serve, daemon=True).start()
        browser.goto(server.url)
        shown = eventually(lambda: "click Buy" in (page := browser.snapshot().text) and page)
        assert "Trace of" in shown
        assert ": answer Sign in" in shown
        assert browser.evaluate("document.images[0].naturalWidth").value > 0
        away = browser.goto(server.url.rpartition("/")[0].rpartition("/")[0] + "/")
        assert "404" in away.note + browser.snapshot().text
        server._server.shutdown()
