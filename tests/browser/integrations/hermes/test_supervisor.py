"""Hermes' supervisor API on a running Chromium."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.eventually import eventually
from support.running import running_chromium
from support.site import Site

from tabwarden.errors import EndpointUnreachable
from tabwarden.integrations.hermes.api import (
    SUPERVISOR_REGISTRY,
    CDPSupervisor,
    browser_cdp,
    browser_dialog,
)

CDP_TOOL = "tabwarden.integrations.hermes.api.browser_cdp_tool"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("chromium")
    with running_chromium(folder, "--site-per-process") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    SUPERVISOR_REGISTRY.stop_all()


def test_two_tasks_see_only_their_own_pages_and_dialogs(url: str, site: Site) -> None:
    first = SUPERVISOR_REGISTRY.get_or_start("a", url)
    second = SUPERVISOR_REGISTRY.get_or_start("b", url)
    assert SUPERVISOR_REGISTRY.get_or_start("a", url) is first
    assert first.page_target_id() != second.page_target_id()
    assert first.navigate_page(site.page("/a", "A", title="A"))["ok"]
    assert second.navigate_page(site.page("/b", "B", title="B"))["ok"]
    assert first.evaluate_runtime("document.title")["result"] == "A"
    assert second.evaluate_runtime("document.title")["result"] == "B"
    second.evaluate_runtime("void setTimeout(() => document.title = prompt('Yours?', 'x'), 10)")
    (dialog,) = eventually(lambda: second.snapshot().pending_dialogs)
    assert (dialog.message, dialog.default_prompt) == ("Yours?", "x")
    assert dialog.bridge_request_id is not None
    assert first.snapshot().pending_dialogs == ()
    answer = json.loads(browser_dialog("accept", prompt_text="done", task_id="b"))
    assert answer["dialog"]["message"] == "Yours?"
    assert second.evaluate_runtime("document.title")["result"] == "done"
    assert second.snapshot().recent_dialogs[-1].closed_by == "agent"
    asked = second.evaluate_runtime("confirm('Sure?')")
    assert "interrupted" in asked["error"]
    assert second.respond_to_dialog("dismiss", dialog_id="d-99")["error"].startswith(
        "Dialog 'd-99'"
    )
    assert second.respond_to_dialog("dismiss")["ok"] is True
    assert "no dialog" in first.respond_to_dialog("accept")["error"]


def test_browser_cdp_command_reaches_an_out_of_process_frame(url: str, site: Site) -> None:
    site.page("/inner", "Inner", title="Inner")
    warden = SUPERVISOR_REGISTRY.get_or_start("a", url)
    warden.navigate_page(site.page("/outer", f"<iframe src='{site.there}/inner'></iframe>"))
    tree = warden.snapshot().to_dict()["frame_tree"]
    (frame,) = tree["children"]
    assert frame["is_oopif"] is True
    call = {"method": "Runtime.evaluate", "params": {"expression": "document.title"}}
    told = json.loads(browser_cdp(**call, frame_id=frame["frame_id"], task_id="a"))  # type: ignore[arg-type]
    assert told["result"]["result"]["value"] == "Inner"
    assert told["session_id"] == frame["session_id"]
    top = json.loads(browser_cdp(**call, frame_id=tree["top"]["frame_id"], task_id="a"))  # type: ignore[arg-type]
    assert top["success"] is True


@pytest.mark.parametrize("named", ["nothing", "target_id", "frame_id"])
def test_raw_cdp_command_answers_a_dialog_that_the_supervisor_tracks(
    url: str, site: Site, named: str
) -> None:
    site.page("/ask", "<script>setTimeout(() => parent.postMessage(prompt('Who?'), '*'))</script>")
    warden = SUPERVISOR_REGISTRY.get_or_start("a", url)
    hears = "<script>onmessage = said => document.title = said.data</script>"
    warden.navigate_page(site.page("/raw", f"{hears}<iframe src='{site.there}/ask'></iframe>"))
    (dialog,) = eventually(lambda: warden.snapshot().pending_dialogs)
    where = {
        "nothing": {},
        "target_id": {"target_id": warden.page_target_id()},
        "frame_id": {"frame_id": dialog.frame_id},
    }[named]
    answer = {"accept": True, "promptText": "Ada"}
    told = json.loads(browser_cdp("Page.handleJavaScriptDialog", answer, task_id="a", **where))  # type: ignore[arg-type]
    assert (told["success"], told["result"]) == (True, {})
    assert warden.snapshot().recent_dialogs[-1].closed_by == "agent"
    eventually(lambda: warden.evaluate_runtime("document.title")["result"] == "Ada")
    again = json.loads(browser_cdp("Page.handleJavaScriptDialog", answer, task_id="a"))
    assert "No dialog" in again["error"]


def test_page_works_after_a_hung_script_times_out(url: str, site: Site) -> None:
    warden = SUPERVISOR_REGISTRY.get_or_start("a", url)
    warden.navigate_page(site.page("/hang", "Here", title="Hang"))
    hung = warden.evaluate_runtime("while (true) {}", timeout=1)
    assert hung["ok"] is False
    assert warden.evaluate_runtime("document.title")["result"] == "Hang"


def test_supervisor_replaces_a_closed_page(url: str) -> None:
    warden = SUPERVISOR_REGISTRY.get_or_start("a", url)
    other = SUPERVISOR_REGISTRY.get_or_start("b", url)
    lost = warden.page_target_id()
    other.send_cdp("Target.closeTarget", {"targetId": lost})
    eventually(lambda: lost not in known_to(warden))  # from just before it is detached
    assert warden.evaluate_runtime("1 + 1") == {"ok": True, "result": 2, "result_type": "number"}
    assert warden.page_target_id() not in (None, lost, other.page_target_id())


def known_to(warden: CDPSupervisor) -> set[str]:
    """The pages in its browser."""
    state = warden._state()
    assert state is not None
    return {tab.target_id for tab in state.tabs}


def test_task_can_focus_a_page_that_another_task_released(url: str, site: Site) -> None:
    warden = SUPERVISOR_REGISTRY.get_or_start("a", url)
    warden.navigate_page(site.page("/form", "<form></form>", title="Form"))
    other = CDPSupervisor("c", url)
    other.start()
    assert other.focus_page(site.here)["ok"] is False, "it belongs to the other task"
    SUPERVISOR_REGISTRY.stop("a")
    assert other.focus_page(site.here, accept="document.title === 'Nothing'")["ok"] is False
    assert other.focus_page(site.here, accept="document.title === 'Form'")["ok"] is True
    assert other.evaluate_runtime("document.title")["result"] == "Form"
    other.stop()
    assert other.snapshot().active is False


def test_supervisor_rejects_an_invalid_policy_and_a_dead_endpoint() -> None:
    with pytest.raises(ValueError, match="dialog_policy"):
        CDPSupervisor("a", "http://127.0.0.1:9", dialog_policy="maybe")
    with pytest.raises(EndpointUnreachable):
        SUPERVISOR_REGISTRY.get_or_start("a", "http://127.0.0.1:9")
    assert SUPERVISOR_REGISTRY.get("a") is None


def test_hermes_results_replace_configured_secrets_with_their_names(
    url: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {"PW": {"value": "hunter2-Wq/7", "origins": [site.here]}}
    monkeypatch.setenv("TABWARDEN_BROWSER__SECRETS", json.dumps(secrets))
    warden = SUPERVISOR_REGISTRY.get_or_start("secret", url)
    warden.navigate_page(site.page("/secret", "<p>hunter2-Wq/7", title="hunter2-Wq/7"))
    command = {"expression": "document.title + location"}
    socket = socket_of(url)
    monkeypatch.setattr(f"{CDP_TOOL}._resolve_cdp_endpoint", lambda: socket)
    told = [
        str(warden.snapshot().to_dict()),
        str(warden.evaluate_runtime("document.body.innerText")),
        browser_cdp("Target.getTargets"),
        browser_cdp("Runtime.evaluate", command, target_id=warden.page_target_id()),
        browser_cdp("Runtime.evaluate", {"expression": "throw document.title"}),
    ]
    assert all("hunter2" not in one for one in told), told
    assert "{{PW}}" in told[1]
    assert "{{PW}}" in told[2]
    assert "{{PW}}" in told[3]


@pytest.mark.threat
def test_browser_cdp_rejects_denied_commands_without_a_supervisor(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = socket_of(url)
    monkeypatch.setattr(f"{CDP_TOOL}._resolve_cdp_endpoint", lambda: socket)
    for method, params in (
        ("Target.setRemoteLocations", {"locations": []}),
        ("Target.openDevTools", {"targetId": "x"}),
        ("Target.createTarget", {"url": "file:///etc/hostname"}),
        ("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": "/tmp/x"}),
        ("No.such", {}),
    ):
        told = json.loads(browser_cdp(method, params))
        assert method in told["error"], told
    assert json.loads(browser_cdp("Browser.getVersion"))["success"] is True
    monkeypatch.setenv("TABWARDEN_BROWSER__EVALUATE_ENABLED", "false")
    assert "evaluate_enabled" in json.loads(browser_cdp("Runtime.evaluate"))["error"]


def socket_of(url: str) -> str:
    """Return the browser's WebSocket address."""
    with urllib.request.urlopen(f"{url}/json/version") as answer:
        return str(json.load(answer)["webSocketDebuggerUrl"])
