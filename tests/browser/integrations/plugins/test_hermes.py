"""The plugin in a real Hermes Agent, with a scripted model."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import urllib.request
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from platformdirs import user_cache_path
from support.hard_pages import BUDGET, WALKS, walk_all
from support.needs import needs
from support.scripted_model import ScriptedModel, Step
from support.serving import TOKEN, running_server
from support.site import Site

import tabwarden

HERMES = user_cache_path("tabwarden-tests") / "hermes"
PYTHON = HERMES / "bin/python"
PLUGIN = Path(tabwarden.__file__).parent / "integrations/hermes/plugin"
CONFIG = """\
plugins:
  enabled: [tabwarden]
  entries:
    tabwarden:
      allow_tool_override: true
model:
  supports_vision: {native}
auxiliary:
  vision: {{provider: custom, base_url: "{model}", api_key: none, model: scripted}}
"""

pytestmark = [
    pytest.mark.calm,
    needs("hermes"),
]


def run(
    home: Path,
    site: Site,
    steps: list[Step],
    *,
    native: bool = False,
    timeout: int = 110,
    **environment: str,
) -> tuple[list[Any], dict[str, Any], ScriptedModel]:
    """Run Hermes with a scripted model; return the tool results, the driver's report, the model."""
    shutil.copytree(PLUGIN, home / "plugins/tabwarden", ignore=shutil.ignore_patterns("__pyc*"))
    other = site.page("/other", "Other", title="Other")
    with ScriptedModel(steps) as model:
        (home / "config.yaml").write_text(
            CONFIG.format(native=str(native).lower(), model=model.url)
        )
        driver = Path(__file__).with_name("hermes_driver.py")
        done = subprocess.run(
            [PYTHON, driver, model.url, other],
            env={**os.environ, "HERMES_HOME": str(home), "PYTHONPATH": "", **environment},
            cwd=home, capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
    report = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert report, done.stdout[-3000:] + done.stderr[-3000:]
    return (
        [parsed(text) for text in model.answers],
        json.loads(report[0].removeprefix("RESULT ")),
        model,
    )


def parsed(answer: str) -> Any:
    """A tool result without the text that Hermes adds around page content."""
    if answer.startswith("["):  # text and an image
        return json.loads(answer)
    return json.loads(answer[answer.index("{") : answer.rindex("}") + 1])


def ref(of: str, answer: str) -> str:
    """The ref of an element in a result's outline."""
    line = next(line for line in parsed(answer)["snapshot"].splitlines() if of in line)
    return re.search(r"ref=(e\d+)", line)[1]  # type: ignore[index]


def tasks(url: str) -> set[str]:
    """The tasks that have a browser on the server."""
    asked = urllib.request.Request(f"{url}/", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(asked) as answer:
        return {task["task"] for task in json.load(answer)["tasks"]}


def offered(model: ScriptedModel) -> set[str]:
    """All tools that Hermes offered to the model."""
    every = [tool for asked in model.requests for tool in asked.get("tools", ())]
    return {tool["function"]["name"] for tool in every}


def test_hermes_conversation_survives_a_dialog_a_hang_and_a_crash(
    tmp_path: Path, site: Site
) -> None:
    site.page(
        "/frame", '<button onclick=\'parent.postMessage(prompt("Color?"), "*")\'>Ask</button>'
    )
    page = site.page(
        "/page",
        f"<iframe src='{site.there}/frame'></iframe><p>key sk-0123456789abcdefghij</p>"
        "<script>onmessage = said => document.title = said.data</script>",
    )  # fmt: skip
    steps: list[Step] = [
        lambda _: ("browser_navigate", {"url": page}),
        lambda answer: ("browser_click", {"ref": ref('"Ask"', answer)}),
        lambda _: ("browser_snapshot", {}),
        lambda _: (
            "browser_cdp",
            {
                "method": "Page.handleJavaScriptDialog",
                "params": {"accept": True, "promptText": "blue"},
            },
        ),
        lambda _: ("browser_console", {"expression": "document.title"}),
        lambda _: ("browser_snapshot", {}),
        lambda _: ("browser_console", {"expression": "while (true) {}"}),
        lambda _: ("browser_console", {"expression": "document.querySelector('p')"}),
        lambda _: ("browser_cdp", {"method": "Page.crash", "timeout": 2}),
        lambda _: ("browser_console", {"expression": "1 + 1"}),
        lambda _: ("browser_vision", {"question": "What is there?"}),
        lambda _: "All done.",
    ]
    slow = {"TABWARDEN_BROWSER__DEFAULT_TIMEOUT_MS": "6000"}
    with running_server("serve", **slow) as server:
        access = {"TABWARDEN_URL": server.url, "TABWARDEN_SERVER__TOKEN": TOKEN}
        answers, report, model = run(tmp_path, site, steps, **access)
        left = tasks(server.url)
    assert {"browser_dialog", "browser_cdp"} <= offered(model)
    opened, clicked, read, answered, title, then, hung, node, _crashed, after, picture = answers
    assert opened["success"] is True
    assert "sk-0123456789abcdefghij" not in json.dumps(model.requests)
    assert clicked["interrupted_by"]["dialog"]["message"] == "Color?"
    assert read["pending_dialogs"][0]["type"] == "prompt"
    assert 'browser_dialog {"action": "accept", "prompt_text": "..."' in read["snapshot"]
    assert (answered["success"], answered["result"]) == (True, {})
    assert then["recent_dialogs"][-1]["closed_by"] == "agent"
    assert (title["result"], title["result_type"]) == ("blue", "str")
    assert hung["code"] == "budget_exceeded"
    assert (node["result"], node["result_type"]) == ({}, "dict")
    assert after["result"] == 2
    assert picture["analysis"] == "A few words."
    assert Path(picture["screenshot_path"]).read_bytes().startswith(b"\x89PNG")
    assert "data:image/png;base64," in json.dumps(model.requests)
    assert report["said"] == "All done."
    assert report["other"]["title"] == report["still"]["result"] == "Other"
    assert left == {"cron-1"}, "the conversation's browser is closed, the other task's is not"


def test_multimodal_model_receives_the_screenshot(tmp_path: Path, site: Site) -> None:
    page = site.page("/page", "Here")
    steps: list[Step] = [
        lambda _: ("browser_navigate", {"url": page}),
        lambda _: ("browser_vision", {"question": "What is there?"}),
        lambda _: "Seen.",
    ]
    with running_server("serve") as server:
        access = {"TABWARDEN_URL": server.url, "TABWARDEN_SERVER__TOKEN": TOKEN}
        _, report, model = run(tmp_path, site, steps, native=True, **access)
    assert "data:image/png;base64," in json.dumps(model.requests[-1])
    assert report["said"] == "Seen."


def test_hermes_plugin_works_in_the_browser_of_browser_connect(
    tmp_path: Path, site: Site, port: int
) -> None:
    page = site.page("/page", "Mine", title="Mine")
    steps: list[Step] = [
        lambda _: ("browser_navigate", {"url": page}),
        lambda _: "There.",
    ]
    with running_server("serve") as server:
        access = {"TABWARDEN_URL": server.url, "TABWARDEN_SERVER__TOKEN": TOKEN}
        chrome = f"http://127.0.0.1:{port}"
        (opened,), _, _ = run(tmp_path, site, steps, **access, BROWSER_CDP_URL=chrome)
        with urllib.request.urlopen(f"{chrome}/json/list") as answer:
            titles = [tab["title"] for tab in json.load(answer) if tab["type"] == "page"]
    assert opened["success"] is True
    assert "Mine" in titles, "the page stays open for the user"
    assert "Other" in titles, "the other task has a page of its own"


def test_hermes_plugin_without_a_server_says_how_to_start_the_server(
    tmp_path: Path, site: Site
) -> None:
    steps: list[Step] = [
        lambda _: ("browser_navigate", {"url": site.here}),
        lambda _: "Sorry.",
    ]
    (answer,), _, model = run(tmp_path, site, steps, TABWARDEN_URL="http://127.0.0.1:9")
    assert "browser_navigate" in offered(model)
    assert not offered(model) & {"browser_dialog", "browser_cdp"}, "they can do nothing now"
    assert answer["code"] == "server_unreachable"
    assert answer["error"].endswith("Start it: tabwarden serve")


class Hermes:
    """A conversation in which each call waits for the test; ``hard_pages`` defines its steps."""

    def __init__(self) -> None:
        self._calls: Queue[tuple[str, dict[str, Any]] | str] = Queue()
        self._answers: Queue[str] = Queue()

    def step(self, answer: str) -> tuple[str, dict[str, Any]] | str:
        """One step of the scripted model."""
        self._answers.put(answer)
        return self._calls.get(timeout=100)

    def ask(self, tool: str, **given: Any) -> Any:
        self._calls.put((tool, given))
        return parsed(self._answers.get(timeout=100))

    def start(self) -> None:
        self._answers.get(timeout=100)

    def end(self) -> None:
        self._calls.put("All done.")

    def go(self, url: str) -> Any:
        return self.ask("browser_navigate", url=url)

    def click(self, name: str) -> Any:
        outline = self.ask("browser_snapshot")["snapshot"]
        found = re.search(rf'(?:button|link) "{name}.*?ref=(e\d+)', outline)
        assert found is not None, outline
        return self.ask("browser_click", ref=found[1])

    def script(self, code: str) -> Any:
        return self.ask("browser_console", expression=code)

    def read(self) -> Any:
        return self.ask("browser_snapshot")

    def reply(self, accept: bool, text: str = "") -> Any:
        action = "accept" if accept else "dismiss"
        return self.ask("browser_dialog", action=action, prompt_text=text)

    def crash(self) -> Any:
        self.ask("browser_cdp", method="Page.crash", timeout=2)
        return self.read()

    def close(self) -> Any:
        """Close the tab, as the error about endless dialogs suggests."""
        told = self.go("about:blank")["error"]
        assert 'browser_cdp {"method": "Page.close"}' in told, told
        return self.ask("browser_cdp", method="Page.close")


def test_hermes_conversation_survives_every_hard_test_page(tmp_path: Path, site: Site) -> None:
    hermes = Hermes()
    failed: list[str] = []

    def talk() -> None:
        try:
            hermes.start()
            failed.extend(walk_all(hermes, os.environ.get("ONLY", "")))
        except BaseException as error:  # noqa: BLE001 (the test reports it)
            failed.append(repr(error))
        finally:
            hermes.end()

    talking = threading.Thread(target=talk)
    with running_server("serve", **BUDGET) as server:
        access = {"TABWARDEN_URL": server.url, "TABWARDEN_SERVER__TOKEN": TOKEN}
        talking.start()
        run(tmp_path, site, [hermes.step] * 20 * len(WALKS), timeout=300, **access)
        talking.join(10)
    assert not failed
