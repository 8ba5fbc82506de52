"""``tabwarden live``: links to the live views of processes with browsers."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import Shell, shell
from support.eventually import eventually
from support.serving import running_server
from support.site import Site
from support.watching import open_view

from tabwarden.sync import Browser

ABOUT = {"name": "t", "version": "1"}
PARAMS = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": ABOUT}
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": PARAMS}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def see(viewer: Browser) -> str:
    return str(viewer.evaluate("document.body?.innerText").value)


def link(shell: Shell, *words: str) -> str:
    return str(json.loads(shell.ok("live", "--no-open", "--json", *words))["url"])


@pytest.fixture
def own(folder: Path) -> Iterator[Shell]:
    with shell(folder) as made:
        yield made


@pytest.mark.long
def test_live_command_opens_the_overview_or_one_session(
    browser: Browser, own: Shell, site: Site
) -> None:
    own.ok("goto", site.page("/a", "a", title="in the session"))
    state = {"XDG_STATE_HOME": own.env["XDG_STATE_HOME"]}
    runtime = {"TABWARDEN_RUNTIME_DIR": own.env["TABWARDEN_RUNTIME_DIR"]}
    with running_server("serve", **state, **runtime) as server:
        open_view(browser, link(own, "--port", str(server.port)))
        eventually(lambda: "in the session" in see(browser))
    open_view(browser, link(own, "--session", "default"))
    eventually(lambda: "Take control" in see(browser))


@pytest.mark.long
def test_live_command_shows_an_mcp_hosts_browser(browser: Browser, own: Shell, site: Site) -> None:
    page = site.page("/b", "b", title="in the chat")
    call = {"name": "browser_navigate", "arguments": {"url": page}}
    goto = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}
    with own.begin("mcp", stdin=subprocess.PIPE) as host:
        assert host.stdin is not None
        assert host.stdout is not None
        for message in (HELLO, READY, goto):
            host.stdin.write(json.dumps(message).encode() + b"\n")
            host.stdin.flush()
        while json.loads(host.stdout.readline()).get("id") != 2:
            pass
        open_view(browser, link(own))
        eventually(lambda: "in the chat" in see(browser))
        host.stdin.close()


def test_live_command_without_a_browser_suggests_how_to_open_one(own: Shell) -> None:
    done = own.run("live")
    assert done.status == 1
    assert "tabwarden open" in done.err


@pytest.mark.parametrize("command", [("serve",), ("mcp", "--http")])
def test_root_page_of_the_server_explains_how_to_get_a_link(
    browser: Browser, command: tuple[str, ...]
) -> None:
    with running_server(*command) as server:
        browser.goto(server.url)
        eventually(lambda: "You need a new link" in see(browser))
        assert "/live/" in str(browser.evaluate("location.href").value)
        assert "tabwarden live" in see(browser)
        asks_for_data = "fetch(URL, {headers: {accept: 'application/json'}}).then((a) => a.status)"
        asked = browser.evaluate(asks_for_data.replace("URL", repr(server.url)))
        assert asked.value == 401
