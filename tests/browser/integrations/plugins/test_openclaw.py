"""The OpenClaw plugin in Node, with a real server (in OpenClaw: judges/try_openclaw.py)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.http.client import TOKEN, Serving, serving
from support.needs import needs
from support.other_listener import OtherListener
from support.site import Site

import tabwarden

PLUGIN = Path(tabwarden.__file__).parent / "integrations/openclaw/plugin"
NODE = shutil.which("node")
pytestmark = needs("node")
_HOST = """
const [plugin, ...given] = process.argv.slice(1);
const [config, session, calls] = given.map((one) => JSON.parse(one));
let tool;
const registerTool = (make, { name }) => {
  tool = { ...make({ sessionKey: session }), offered: name };
};
(await import(plugin)).default.register({ pluginConfig: config, registerTool });
const answers = [];
for (const call of calls) answers.push(await tool.execute("id", call));
console.log(JSON.stringify({ tool, answers }));
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving() as server:
        yield server


@pytest.fixture
def config(server: Serving, tmp_path: Path) -> dict[str, str]:
    (tmp_path / "token").write_text(TOKEN + "\n")
    return {"url": server.url, "tokenFile": str(tmp_path / "token")}


def told(config: dict[str, str], *calls: dict[str, Any], session: str = "main") -> dict[str, Any]:
    """The registered tool (``tool``) and its results (``answers``)."""
    assert NODE is not None
    given = [json.dumps(one) for one in (config, session, calls)]
    command = [NODE, "--input-type=module", "-e", _HOST, str(PLUGIN / "index.js"), *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def test_openclaw_tool_operates_a_page(config: dict[str, str], site: Site) -> None:
    url = site.page("/", "<button onclick=\"document.title = confirm('Sure?')\">Ask</button>")
    read = told(
        config,
        {"action": "navigate", "targetUrl": url},
        {"action": "act", "request": {"kind": "click", "selector": "button"}},
        {"action": "dialog", "accept": True},
        {"action": "act", "kind": "evaluate", "fn": "document.title"},
        {"action": "screenshot", "type": "jpeg"},
        {"action": "snapshot", "query": "ask"},
        {"action": "act", "kind": "resize", "width": 0, "height": 1},
        {"action": "importprofile"},
        {"action": "snapshoot"},
        {"action": "stop"},
    )
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    assert manifest["contracts"]["tools"] == [read["tool"]["name"]] == [read["tool"]["offered"]]
    assert len(read["tool"]["parameters"]["properties"]["action"]["enum"]) == 24
    opened, clicked, answered, title, picture, found, resized, imported, wrong, stopped = (
        one["details"] for one in read["answers"]
    )
    assert '- button "Ask" [ref=e1]' in read["answers"][0]["content"][0]["text"]
    assert opened["url"] == url
    assert clicked["blockedByDialog"] is True
    assert 'action="dialog"' in clicked["next"]
    assert answered["closed"]["accepted"] is True
    assert title["result"] == "true"
    assert picture["mediaType"] == read["answers"][4]["content"][1]["mimeType"] == "image/jpeg"
    assert "1 lines match" in read["answers"][5]["content"][0]["text"]
    assert found["refs"] == 1
    assert (resized["ok"], resized["code"]) == (False, "ACT_INVALID_REQUEST")
    assert imported["ok"] is False
    assert "tabwarden import-cookies --from chrome --to imported" in imported["error"]
    assert "snapshot" in wrong["error"]
    assert stopped["stopped"] is True


@pytest.mark.long
def test_each_openclaw_session_has_its_own_browser(config: dict[str, str], site: Site) -> None:
    url = site.page("/", "x")
    told(config, {"action": "navigate", "targetUrl": url}, session="agent:main:telegram:1")
    other, named = told(
        config,
        {"action": "status"},
        {"action": "status", "profile": "work"},
        session="agent:main:2",
    )["answers"]
    assert (other["details"]["running"], named["details"]["task"]) == (False, "work")
    mine = told(config, {"action": "stop"}, session="agent:main:telegram:1")["answers"][0]
    assert mine["details"]["stopped"] is True


@pytest.mark.long
def test_openclaw_tool_without_a_server_or_token_suggests_the_next_step(
    config: dict[str, str], tmp_path: Path
) -> None:
    call = {"action": "tabs"}
    for changed, code, words in (
        ({"url": "http://127.0.0.1:9"}, "server_unreachable", "`tabwarden serve`"),
        ({"tokenFile": str(tmp_path / "none")}, "no_token", "tokenFile"),
    ):
        (answer,) = told({**config, **changed}, call)["answers"]
        assert answer["isError"] is True
        assert answer["details"]["code"] == code
        assert words in answer["details"]["error"]
    (tmp_path / "token").write_text("wrong")
    assert told(config, call)["answers"][0]["details"]["code"] == "wrong_token"


@pytest.mark.parametrize(
    ("status", "code"), [(200, "not_tabwarden"), (404, "not_tabwarden"), (401, "wrong_token")]
)
@pytest.mark.threat
def test_plugin_sends_no_token_to_another_program_on_the_port(
    status: int, code: str, config: dict[str, str]
) -> None:
    with OtherListener(status) as other:
        call = {"action": "navigate", "targetUrl": "http://secret.example/"}
        (answer,) = told({**config, "url": other.url}, call)["answers"]
    assert answer["details"]["code"] == code
    assert other.url in answer["details"]["error"]
    assert other.received.startswith(b"GET /proof?nonce=")
    assert TOKEN.encode() not in other.received
    assert b"secret.example" not in other.received


@pytest.mark.threat
def test_plugin_sends_no_token_to_a_program_that_relays_to_the_server(
    server: Serving, config: dict[str, str]
) -> None:
    with OtherListener(real=server.port) as other:
        (answer,) = told({**config, "url": other.url}, {"action": "tabs"})["answers"]
    assert answer["details"]["code"] == "not_tabwarden"
    assert TOKEN.encode() not in other.received


@pytest.mark.threat
def test_plugin_sends_a_configured_token_to_a_configured_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABWARDEN_SERVER__TOKEN", TOKEN)
    with OtherListener() as other:
        (answer,) = told({"url": other.url}, {"action": "tabs"})["answers"]
    assert answer["details"] == {"ok": True}
    assert f"Bearer {TOKEN}".encode() in other.received
